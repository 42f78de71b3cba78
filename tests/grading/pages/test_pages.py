"""Pages of feedback: nothing runs in them, nothing keeps them from being written."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from html.parser import HTMLParser

import pytest
from kept import Kept
from made_course import cell, grade, make_course, notebook, submit
from nbgrader_commands import CONFIG, nbgrader

from course_tools.grading.course.course import Course
from course_tools.grading.course.gradebook import open_gradebook
from course_tools.grading.pages import feedback, page_client, student_version
from course_tools.grading.pages.page_client import PageClient
from course_tools.grading.pages.questions import A_PERSON, WAITS, WORDS
from course_tools.grading.run import zygote_client

HIDDEN = "### BEGIN HIDDEN TESTS\nassert f(11) == 22\n### END HIDDEN TESTS"
RIGHT = {"f": "def f(x): return 2 * x", "essay": "I think so."}
SCRIPT = "<script>alert('zq')</script><img src=x onerror=alert('zq')> a<b"
SHOW = f"""
from IPython.display import publish_display_data as show
for kind in ("text/markdown", "text/latex", "text/html", "text/plain", "image/png"):
    show({{kind: {SCRIPT!r}}})
show({{"text/markdown": "![x](attachment:none.png)"}})
"""
PNG = "iVBORw0KGgo="


def problem():
    return notebook(
        cell(
            "solution", "f", "def f(x):\n    ### BEGIN SOLUTION\n    ### END SOLUTION"
        ),
        cell("test", "test_f", f"assert f(1) == 2, 'two'\n{HIDDEN}", 4),
        cell("plain", None, "# try things here"),
        cell("manual", "essay", "YOUR ANSWER HERE", 5),
    )


def add(*cells):
    """Return a change that puts (kind, source, attachments) before everything."""

    def change(made, folder):
        for kind, source, *attachments in reversed(cells):
            new = {"cell_type": kind, "source": source, "metadata": {}}
            if kind == "code":
                new.update(outputs=[], execution_count=None)
            if attachments:
                new["attachments"] = attachments[0]
            made["cells"].insert(0, new)

    return change


def misspelt(made, folder):
    made["cells"][2]["source"] = "def g(:\n    pass"


CLASS = {
    "honest": (RIGHT, None),
    "wrong": ({**RIGHT, "f": "def f(x): return 1"}, misspelt),
    "scripts": (
        {**RIGHT, "essay": SCRIPT},
        add(("markdown", SCRIPT), ("raw", SCRIPT), ("code", SHOW)),
    ),
    "pictures": (
        RIGHT,
        add(
            ("markdown", "![x](attachment:foo.png) none"),
            ("markdown", "![x](attachment:q) empty", {"q": {}}),
            ("markdown", "![x](attachment:q) good", {"q": {"image/png": PNG}}),
        ),
    ),
    "storms": (
        RIGHT,
        add(
            ("markdown", "[" * 40_000),
            ("markdown", ">" * 3_000 + "a"),
            ("code", "x = 1" + "+1" * 30_000),
            ("code", "from IPython.display import *\ndisplay(HTML('<div>' * 9_000))"),
        ),
    ),
    "half": ({**RIGHT, "f": "def f(x): raise ValueError('\\ud800')"}, None),
    "broken": (RIGHT, lambda made, folder: "{"),
}


@pytest.fixture(scope="module")
def run(zygote, tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages") / "course"
    make_course(folder, "set", {"problem": problem()}, CONFIG)
    for student, (answers, change) in CLASS.items():
        submit(folder, "set", "problem", student, answers, change)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(zygote_client, "start", lambda *_: Kept(zygote))
        result = grade(folder, "set")
    assert result.code == 0, result.errors
    result.folder = folder
    return result


def page(run, student):
    return (run.folder / "feedback" / student / "set" / "problem.html").read_text()


class Look(HTMLParser):
    """Finds what would run."""

    def __init__(self):
        super().__init__()
        self.inside, self.runs = "", []

    def handle_starttag(self, tag, attributes):
        self.inside = tag
        self.runs += [key for key, _ in attributes if key.startswith("on")]
        if any("javascript:" in (value or "") for _, value in attributes):
            self.runs.append(str(attributes))

    def handle_data(self, text):
        if self.inside == "script" and "zq" in text:
            self.runs.append(text)

    def handle_endtag(self, tag):
        self.inside = ""


def what_runs(text):
    look = Look()
    look.feed(text)
    return look.runs


def test_everybody_is_graded(run):
    rows = {name: (row["score"], row["status"]) for name, row in run.rows.items()}
    right = dict.fromkeys(CLASS, (4.0, "graded"))
    right.update(wrong=(0.0, "graded"), half=(0.0, "graded"))
    assert rows == {**right, "broken": (0.0, "unreadable")}
    assert not any("page" in text for r in run.rows.values() for text in r["incidents"])


def test_no_script_of_a_student_runs(run):
    text = page(run, "scripts")
    assert what_runs(text) == []
    assert what_runs(SCRIPT) != []
    assert text.count("alert(") >= 6  # it is shown
    assert "a&lt; b" in text


@pytest.mark.parametrize("student", ["scripts", "pictures"])
def test_nor_on_the_page_of_nbgrader_itself(run, student):
    path = run.folder / "feedback" / student / "set" / "problem.html"
    before = path.read_text()
    words = ["generate_feedback", "set", "--student", student, "--force"]
    code, text = nbgrader(run.folder, *words)
    try:
        assert code == 0, text
        assert path.read_text() != before
        assert what_runs(path.read_text()) == []
    finally:
        path.write_text(before)


def test_pictures(run):
    text = page(run, "pictures")
    assert f'src="data:image/png;base64,{PNG}"' in text
    assert " none" in text
    assert " empty" in text


def test_storms_are_shown_as_text(run):
    text = page(run, "storms")
    assert f"<pre>    {'[' * 40_000}</pre>" in text
    assert "+1" * 30_000 in text
    assert feedback.NOT_RENDERED not in text


def test_halves_of_characters(run):
    (question,) = run.rows["half"]["questions"]
    assert question["message"].endswith("ValueError: ?"), question
    assert "two" in page(run, "wrong")


def rows(text):
    """{question: (score, word)} of the list at the top."""
    found = re.findall(
        r'<tr class="(\w+)"><td>(?:<a href="#[^"]+">)?(\w+)(?:</a>)?</td>'
        r'<td class="marks">([^<]+)</td><td><span class="badge (\w+)">([^<]+)<',
        text,
    )
    assert all(state == badge for state, _, _, badge, _ in found)
    return {name: (marks, word) for _, name, marks, _, word in found}


def test_the_list_at_the_top_tells_question_by_question(run):
    text = page(run, "honest")
    assert '<a href="#test_f">test_f</a>' in text
    assert '<a href="#essay">essay</a>' in text
    assert rows(text) == {
        "test_f": ("4 / 4", "passed"),
        "essay": ("– / 5", "not marked yet"),
    }
    assert rows(page(run, "wrong"))["test_f"] == ("0 / 4", "failed")
    assert rows(page(run, "half"))["test_f"] == ("0 / 4", "failed")


def test_the_list_at_the_top_says_why(run):
    text = page(run, "wrong")
    listed = text[text.index('id="toc"') : text.index('id="notebook"')]
    assert "two" in listed


@pytest.mark.parametrize("anchor", ["test_f", "comment-f", "essay", "comment-essay"])
def test_places_of_nbgrader_stay(run, anchor):
    assert page(run, "honest").count(f'name="{anchor}"') == 1


def test_what_waits_for_a_person_says_so(run):
    text = page(run, "honest")
    assert WORDS[WAITS] in text
    assert "5 of these points are not marked yet" in text
    assert A_PERSON in text


def test_what_the_set_brings_is_folded_and_an_answer_is_not(run):
    text = page(run, "honest")
    tests = text.index('<span class="k">assert</span>')
    assert "</details>" not in text[text.rindex("<details>", 0, tests) : tests]
    answer = text.index('<span class="nf">f</span>')
    assert text[:answer].count("<details>") == text[:answer].count("</details>")


def test_nothing_is_fetched_and_nothing_may_run(run):
    for student in CLASS:
        text = page(run, student)
        assert "default-src 'none'" in text
        assert "<script" not in text
        assert not re.search(r"(?:src|href)=.(?:https?:|//)|url\((?!data:)", text)


def test_after_hidden_checks_a_page_tells_of_the_text_alone(run):
    assert "SyntaxError: invalid syntax (line 1)" in page(run, "wrong")
    assert student_version.NOT_SHOWN in page(
        run, "honest"
    )  # though the cell shows nothing


@pytest.mark.parametrize(
    "source", ["x = " + "-" * 100_000 + "1", "(" * 5000, "x\0", "%%bash\nls ("]
)
def test_no_source_breaks_the_look_for_misspelt_cells(source):
    assert isinstance(student_version._syntax_error(source), str)


@contextlib.contextmanager
def writer(run, **options):
    course = Course(str(run.folder))
    with open_gradebook(course) as gradebook:
        made = feedback.FeedbackWriter(course, gradebook, "set", **options)
        with contextlib.closing(made):
            yield made


def test_a_notebook_that_was_not_read_gets_a_page_with_the_reason(run):
    with writer(run) as made:
        assert made.write("broken", {"problem": "the <b>notebook</b> is empty"}) == 1
        text = page(run, "broken")
        assert "<p>the &lt;b&gt;notebook&lt;/b&gt; is empty</p>" in text
        assert rows(text)["test_f"] == ("0 / 4", "failed")
        assert made.write("broken") == 0  # it stays
        assert page(run, "broken") == text


def test_a_page_that_takes_too_long_becomes_a_short_one(run, monkeypatch):
    path = run.folder / "autograded" / "honest" / "set" / "problem.ipynb"
    text = path.read_text()
    monkeypatch.setattr(page_client, "PAGE_PATIENCE", 1)
    with writer(run, seconds=1.0) as made:
        made.page_client.seconds = 60.0
        assert made.write("wrong") == 1
        made.page_client.seconds = 1.0
        first = made.page_client.process
        path.unlink()
        os.mkfifo(path)  # reading it takes for ever
        try:
            assert made.write("honest") == 1
        finally:
            path.unlink()
            path.write_text(text)
        assert feedback.NOT_RENDERED in page(run, "honest")
        assert made.shortened == ["honest"]
        assert rows(page(run, "honest"))["essay"] == ("– / 5", "not marked yet")
        assert first.returncode == -signal.SIGKILL
        made.page_client.seconds = 60.0
        assert made.write("honest") == 1
        assert feedback.NOT_RENDERED not in page(run, "honest")


def test_a_page_waits_for_a_processor_that_others_use(run):
    with writer(run, seconds=3.0) as made:
        made.page_client.wait_until_ready()
        maker = made.page_client.process.pid
        os.kill(maker, signal.SIGSTOP)  # for longer than a page may take of it
        goes_on = threading.Timer(4.0, os.kill, (maker, signal.SIGCONT))
        goes_on.start()
        assert made.write("wrong") == 1
        assert not goes_on.is_alive()
        assert made.shortened == []


def test_a_process_that_does_not_start_is_an_error(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with contextlib.closing(PageClient()) as made, pytest.raises(RuntimeError):
        made.page(path="x", marks=["a", "b"], scores={}, resources={})


ASK = """
import sys
from course_tools.grading.pages.page_client import PageClient
from course_tools.grading.pages.questions import A_PERSON, WAITS, WORDS
made = PageClient(600)
made.wait_until_ready()
print(made.process.pid, flush=True)
made.page(path=sys.argv[1], marks=["a", "b"], scores={}, resources={})
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_no_process_is_left_behind(tmp_path, number):
    os.mkfifo(tmp_path / "x.ipynb")
    owner = subprocess.Popen(
        [sys.executable, "-P", "-c", ASK, str(tmp_path / "x.ipynb")],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    child = int(owner.stdout.readline())
    time.sleep(0.2)
    owner.send_signal(number)
    owner.wait()
    deadline = time.monotonic() + 120
    while os.path.exists(f"/proc/{child}") and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not os.path.exists(f"/proc/{child}")


def test_autograded_notebooks_can_be_stored(run):
    for student in CLASS:
        if student != "broken":
            path = run.folder / "autograded" / student / "set" / "problem.ipynb"
            json.loads(path.read_text(encoding="utf-8"))
