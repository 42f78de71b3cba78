"""nbgrader's formgrader, in JupyterLab, on a course that the engine has graded.

A teacher opens it from the menu, finds the engine's scores, marks a written answer by
hand, and keeps that mark when the class is graded again.
"""

import json
import subprocess
import sys
from types import SimpleNamespace

import made_course as made
import pytest
from browser_jupyter import browser, choose, jupyterlab, new_page
from nbgrader.api import Gradebook

from course_tools.cli.programs import PROGRAMS

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.slow]

SET = "squares"
SOLUTION = """def square(x):
    ### BEGIN SOLUTION
    return x * x
    ### END SOLUTION"""
TEST = """assert square(3) == 9, "three squared is nine"
### BEGIN HIDDEN TESTS
assert square(-17) == 289, "a square has no sign"
### END HIDDEN TESTS"""
FULL = 3 + 2 + 5

RIGHT = {"square": "def square(x):\n    return x**2"}
WRONG = {"square": "def square(x):\n    return x * abs(x)"}
WRITTEN = {"why": "Because both factors have the *same* sign."}
HANDED_IN = {"ada": RIGHT, "bob": WRONG, "cyd": WRONG | WRITTEN}
SCORES = {"ada": 5.0, "bob": 0.5, "cyd": 0.5}
# what a browser would run, fetch or ask about, in every place a student can write to
MARK = "document.title='alive';alert('alive')"
ALIVE = f"""<script>{MARK}</script><img src=x onerror="{MARK}"><svg onload="{MARK}">
[one](javascript:{MARK}) [two][ref] <a href="javascript:{MARK}">three</a>
![four](http://elsewhere.invalid/4.png) ![five][pic] <iframe srcdoc="{MARK}"></iframe>
&#60;script&#62;{MARK}&#60;/script&#62; [six](<javascript:{MARK}>) <style>*{{}}</style>
[seven](java\tscript:{MARK}) [eight](&#106;avascript:{MARK}) <base href="//x.invalid">

[ref]: javascript:{MARK}
[pic]: http://elsewhere.invalid/5.png
$\\href{{javascript:{MARK}}}{{nine}}$ <form action="javascript:{MARK}"><button>ten

```mermaid
graph TD; A[<img src=x onerror="{MARK}">]
```
"""
SHOWS = f"""def square(x):
    return x * x
from IPython.display import HTML, Latex, Markdown, Javascript, SVG, display
for kind in (HTML, Latex, Markdown, Javascript):
    display(kind({ALIVE!r}))
display(SVG('<svg xmlns="http://www.w3.org/2000/svg" onload="{MARK}"></svg>'))
print({ALIVE!r})"""
PICTURES = {
    'a"onerror="x.png': {"image/png": "AAAA"},
    "b.svg": {"image/svg+xml": "<svg onload='alert(1)'/>"},
    "c.png": {"image/png": '"><script>alert(1)</script>'},
}
COMMENT = "Good; and what if x = 0? “Zero” has no sign — say so."


@pytest.fixture(scope="module")
def course(tmp_path_factory, project_root):
    """A course with the project's settings; three hand in, the engine grades."""
    book = made.notebook(
        made.cell("solution", "square", SOLUTION),
        made.cell("test", "test_square", TEST, 3),
        made.cell("test", "test_sign", "2 if square(-2) == 4 else 0.5", 2),
        made.cell("manual", "why", "Why is a square never negative?", 5),
    )
    config = (project_root / "nbgrader_config.py").read_text("utf-8")
    for step in ("source", "release"):  # where made_course keeps them
        config += f'\nc.CourseDirectory.{step}_directory = "{step}"\n'
    folder = tmp_path_factory.mktemp("formgrader") / "course"
    made.make_course(folder, SET, {SET: book}, config)

    def submit(student, answers):
        made.submit(folder, SET, SET, student, answers)

    for student, answers in HANDED_IN.items():
        submit(student, answers)
    return SimpleNamespace(folder=folder, submit=submit, scores=grade(folder))


def grade(folder, *words) -> dict[str, float]:
    """Grade by the engine; returns everyone's points."""
    command = [sys.executable, "-P", "-m", "course_tools", "grade", SET]
    command += ["--course", str(folder), "--json", "--no-feedback", "--workers=1"]
    command += ["--timeout=120", *words]  # a busy machine is not the answer's fault
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    rows = json.loads(done.stdout)["submissions"]
    assert not any(row["incidents"] for row in rows), rows
    return {row["student"]: row["score"] for row in rows}


def marked_by_hand(folder, student) -> tuple[float, str]:
    """The score and the comment that a person gave, from the gradebook."""
    with Gradebook(f"sqlite:///{folder / 'gradebook.db'}") as book:
        score = book.find_grade("why", SET, SET, student).manual_score
        return score, book.find_comment("why", SET, SET, student).manual_comment


@pytest.fixture(scope="module")
def desk(course, tmp_path_factory):
    """The formgrader as JupyterLab's menu opens it."""
    with (
        jupyterlab(course.folder, tmp_path_factory.mktemp("lab")) as address,
        browser(PROGRAMS["chromium"].find()) as chromium,
    ):
        page = new_page(chromium, 1500, 1200)
        page.goto(f"{address}/lab?reset", wait_until="load")
        choose(page, "Nbgrader", "Formgrader")
        yield Desk(page, f"{address}/formgrader")


class Desk:
    """What a teacher sees, clicks and types in the formgrader's frame."""

    def __init__(self, page, address):
        self.page, self.address, self.errors = page, address, []
        self.frame = page.wait_for_selector("iframe").content_frame()
        self.frame.wait_for_url(f"{address}/manage_assignments")
        page.on("pageerror", lambda error: self.errors.append(error.message))

    def follow(self, link, address):
        """Click a link and wait for the page that it leads to."""
        self.frame.click(f'a:visible:text-is("{link}")')
        self.frame.wait_for_url(f"{self.address}/{address}")

    def table(self, *columns) -> list[tuple[str, ...]]:
        """The texts of some columns, row by row, once the table is filled."""
        self.frame.wait_for_function("models && models.loaded")
        cells = [self.frame.locator(f"#main-table td.{name}") for name in columns]
        return list(zip(*(cell.all_inner_texts() for cell in cells), strict=True))

    def assignments(self) -> list[tuple[str, ...]]:
        self.frame.goto(f"{self.address}/manage_assignments")
        return self.table("name", "status", "num-submissions")

    def submissions(self) -> dict[str, tuple[str, str]]:
        """{student: (score, status)}, on the page behind the number of submissions."""
        self.frame.goto(f"{self.address}/manage_assignments")
        self.follow(len(HANDED_IN), f"manage_submissions/{SET}")
        rows = self.table("student-id", "score", "status")
        return {student: (score, status) for student, score, status in rows}

    def open(self, student):
        """Go to a student's notebook, by way of the lists for marking by hand."""
        self.frame.goto(f"{self.address}/gradebook")
        self.follow(SET, f"gradebook/{SET}")
        self.follow(SET, f"gradebook/{SET}/{SET}")
        self.table("name")
        self.frame.click("#toggle_names")  # they are hidden until then
        self.follow(student, "submissions/**")
        loaded = "formgrader.grades.loaded && formgrader.comments.loaded"
        self.frame.wait_for_function(loaded)

    def scores(self) -> dict[str, tuple[str, str]]:
        """{question: (what the engine gave, in grey; what a person typed)}."""
        return {
            box.get_attribute("id"): (
                box.get_attribute("placeholder"),
                box.input_value(),
            )
            for box in self.frame.locator("input.score").all()
        }

    def saving(self):
        return self.page.expect_response(lambda r: r.request.method == "PUT")

    def type(self, box, text):
        """Type into a box and leave it: this saves."""
        self.frame.locator(box).press_sequentially(text)
        with self.saving() as answer:
            self.page.keyboard.press("Tab")
        assert answer.value.ok

    def autograde(self, student) -> str:
        """Press the button in a student's row; returns what the formgrader says."""
        row = self.frame.locator("#main-table tr").filter(has_text=student)
        row.locator(".autograde a").click()
        said = self.frame.locator(".modal-dialog:visible")
        said.wait_for()
        return said.inner_text()


def test_the_assignment_is_listed_with_its_submissions(desk):
    assert desk.assignments() == [(SET, "draft", "3")]


def test_submissions_have_the_scores_of_the_engine(desk, course):
    assert course.scores == SCORES
    assert desk.submissions() == {
        "ada": (f"5 / {FULL}", "graded"),
        "bob": (f"0.5 / {FULL}", "graded"),
        "cyd": (f"0.5 / {FULL}", "needs manual grading"),
    }


def test_a_submission_is_shown_with_outputs_and_points(desk):
    desk.open("bob")
    assert desk.scores() == {
        "test_square": ("0", ""),
        "test_sign": ("0.5", ""),
        "why": ("0", ""),  # nothing was written
    }
    comment = desk.frame.locator("#why-comment")
    assert comment.get_attribute("placeholder") == "No response."
    text = desk.frame.inner_text("#notebook")
    assert "return x * abs(x)" in text
    assert "assert square(-17) == 289" in text  # the teacher may see hidden tests
    assert "line 3 of this cell:\nAssertionError: a square has no sign" in text
    # the formgrader asks the network for MathJax, and does without
    assert set(desk.errors) <= {"MathJax is not defined"}


def test_a_mark_given_by_hand_survives_another_grading(desk, course):
    desk.open("cyd")
    assert desk.scores()["why"] == (None, "")
    assert desk.frame.inner_text("em") == "same"  # Markdown is set
    desk.type("#why", "3.5")
    desk.type("#why-comment", COMMENT)
    assert marked_by_hand(course.folder, "cyd") == (3.5, COMMENT)
    assert desk.submissions()["cyd"] == (f"4 / {FULL}", "graded")

    course.submit("cyd", RIGHT | WRITTEN)
    assert grade(course.folder, "--force", "--only=cyd") == {"cyd": 5 + 3.5}
    assert marked_by_hand(course.folder, "cyd") == (3.5, COMMENT)
    assert desk.submissions()["cyd"] == (f"8.5 / {FULL}", "needs manual grading")

    desk.open("cyd")
    given = {"test_square": ("3", ""), "test_sign": ("2", ""), "why": (None, "3.5")}
    assert desk.scores() == given
    assert desk.frame.input_value("#why-comment") == COMMENT
    with desk.saving():
        desk.frame.click(".mark-graded:visible")  # "Resolve": the mark stands
    assert desk.submissions()["cyd"] == (f"8.5 / {FULL}", "graded")
    assert marked_by_hand(course.folder, "cyd") == (3.5, COMMENT)


def test_the_autograde_button_grades_in_the_sandbox(desk, course):
    """The answer is right only where it cannot see the course."""
    seen = f"__import__('os').path.exists({str(course.folder)!r})"
    code = f"def square(x):\n    return 0 if {seen} else x * x"
    course.submit("bob", {"square": code})
    assert desk.submissions()["bob"] == (f"0.5 / {FULL}", "graded")
    assert "Successfully autograded" in desk.autograde("bob")
    assert desk.submissions()["bob"] == (f"5 / {FULL}", "graded")


def hostile(made_notebook, target):
    """Cells that are not part of the set, with attachments."""
    attached = "".join(f"![x](attachment:{name})" for name in PICTURES)
    for kind in ("markdown", "raw"):
        extra = {"cell_type": kind, "metadata": {}, "source": ALIVE + attached}
        made_notebook["cells"].append(dict(extra, attachments=PICTURES))


LOOK = """() => ({
    title: document.title,
    scripts: [...document.querySelectorAll('#notebook script')].length,
    frames: document.querySelectorAll('#notebook :is(iframe, object, form)').length,
    odd: [...document.querySelectorAll('#notebook :is(a, img)')]
        .map(e => e.getAttribute('href') || e.getAttribute('src') || '')
        .filter(a => a && !/^(https?:|#|data:image[/](png|jpeg);base64,)/.test(a)),
    handlers: [...document.querySelectorAll('#notebook-container *')]
        .filter(e => [...e.attributes].some(a => /^on/.test(a.name))).length,
})"""


def watched(page):
    """What a page asks of the world: dialogs, and requests for another machine."""
    seen = []
    page.on("dialog", lambda dialog: (seen.append(dialog.message), dialog.dismiss()))
    page.on("request", lambda request: seen.append(request.url))
    return seen


def is_students(seen):
    """The template itself asks the network for MathJax."""
    return [text for text in seen if "invalid" in text or "alive" in text]


def test_nothing_of_a_student_comes_alive(desk, course):
    """In the formgrader and on the page of feedback."""
    answers = {"square": SHOWS, "why": ALIVE}
    made.submit(course.folder, SET, SET, "eve", answers, hostile)
    grade(course.folder, "--only=eve")
    seen = watched(desk.page)
    desk.open("eve")
    found = desk.frame.evaluate(LOOK)
    assert "one" in desk.frame.inner_text("#notebook")
    assert found.pop("title") != "alive"
    assert found == {"scripts": 0, "frames": 0, "odd": [], "handlers": 0}
    assert is_students(seen) == []

    assert made.course("feedback", SET, "--course", course.folder).code == 0
    (path,) = (course.folder / "feedback" / "eve").rglob("*.html")
    page = desk.page.context.browser.new_page()
    seen = watched(page)
    page.goto(path.as_uri(), wait_until="load")
    assert "one" in page.inner_text("#notebook")
    found = page.evaluate(LOOK)
    assert found.pop("title") != "alive"
    assert found == {"scripts": 0, "frames": 0, "odd": [], "handlers": 0}
    assert is_students(seen) == []
    page.close()
