"""`nbgrader autograde` and `nbgrader generate_feedback` with the engine inside."""

import json

import pytest
from made_course import cell, grade, make_course, notebook, submit
from nbgrader.api import Gradebook
from nbgrader.apps import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from nbgrader_commands import CONFIG, nbgrader
from square_problem import ABS, RIGHT, problem

from course_tools.grading.course.course import load_config
from course_tools.grading.plugin import end_workers

BEGIN, END = "### BEGIN HIDDEN TESTS", "### END HIDDEN TESTS"


def make_api(folder):
    config = load_config(str(folder))
    config.CourseDirectory.root = str(folder)
    return NbGraderAPI(CourseDirectory(config=config), config=config)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = make_course(
        tmp_path_factory.mktemp("plugged") / "course",
        "set1",
        {"problem": problem()},
        CONFIG,
    )
    submit(made, "set1", "problem", "ada", RIGHT)
    submit(made, "set1", "problem", "bob", ABS)
    cheat = "get_ipython().ast_transformers.clear()\nimport os\nos._exit(0)"
    submit(made, "set1", "problem", "eve", {"square": cheat}, change=_tag)
    return made


@pytest.fixture(scope="module")
def log(folder):
    code, text = nbgrader(folder, "autograde", "set1")
    assert code == 0, text
    return text


def _tag(notebook, folder):
    for item in notebook["cells"]:
        item["metadata"]["tags"] = ["skip-execution"]
        item["metadata"].get("nbgrader", {}).update(points=100)


def test_scores(folder, log):
    with Gradebook(f"sqlite:///{folder}/gradebook.db") as gradebook:
        scores = {
            s.student_id: s.score for s in gradebook.assignment_submissions("set1")
        }
    assert scores == {"ada": 4.5, "bob": 2.5, "eve": 0.0}


def test_incidents_are_logged(log):
    assert "eve: cell test_square carries tags of its own" in log


def test_feedback_hides_tests(folder, log):
    code, text = nbgrader(folder, "generate_feedback", "set1")
    assert code == 0, text
    page = (folder / "feedback" / "bob" / "set1" / "problem.html").read_text()
    assert "a hidden check failed: negative" in page
    assert "square(-17" not in page  # (289 may stand in the random id of a cell)


def test_feedback_of_nbgrader_on_what_the_engine_graded(tmp_path):
    """nbgrader copies all of a student's autograded folder into the feedback."""
    hidden = "square(-17.0), 289.0"
    test = (
        f"assert square(3) == 9\n{BEGIN}\nnp.testing.assert_allclose({hidden})\n{END}"
    )
    first = cell("locked", "first", "import numpy as np")
    book = notebook(first, *problem().cells[2:3], cell("test", "t", test, 3))
    folder = make_course(tmp_path / "course", "set1", {"problem": book}, CONFIG)
    submit(folder, "set1", "problem", "bob", ABS)
    row = grade(folder, "set1", "--no-feedback").rows["bob"]
    assert "289" in row["questions"][0]["message"]  # the instructor sees it
    code, text = nbgrader(folder, "generate_feedback", "set1")
    assert code == 0, text
    for path in (folder / "feedback").rglob("*"):
        assert path.is_dir() or "square(-17" not in path.read_text(), path


def test_sources_that_change_while_a_server_runs(tmp_path):
    """Formgrader's buttons are calls in one process that lives for days."""
    test = "assert square(3) == int(open('data.txt').read())"

    def book(points):
        part = cell("test", "part", f"{points} - 1", points)
        return notebook(problem().cells[2], cell("test", "t", test, 3), part)

    folder = make_course(tmp_path / "course", "set1", {"problem": book(3)}, CONFIG)
    source = folder / "source" / "set1"
    submit(folder, "set1", "problem", "bob", RIGHT)
    api = make_api(folder)
    for points, data, score in ((3, "10", 2.0), (7, "9", 9.0)):
        (source / "data.txt").write_text(data)
        (source / "problem.ipynb").write_text(json.dumps(book(points)))
        assert api.generate_assignment("set1", force=True)["success"]
        assert api.autograde("set1", "bob", force=True)["success"]
        assert api.get_submission("set1", "bob")["score"] == score
    end_workers()


def test_autograde_again_keeps_manual_scores(folder, log):
    with Gradebook(f"sqlite:///{folder}/gradebook.db") as gradebook:
        found = gradebook.find_grade("test_square", "problem", "set1", "bob")
        found.manual_score = 0.5
        gradebook.db.commit()
    code, text = nbgrader(folder, "autograde", "set1", "--student", "bob", "--force")
    assert code == 0, text
    with Gradebook(f"sqlite:///{folder}/gradebook.db") as gradebook:
        assert gradebook.find_submission("set1", "bob").score == 3.0


def test_late_submissions_pay_the_penalty(tmp_path):
    config = CONFIG + "c.LateSubmissionPlugin.penalty_method = 'zero'\n"
    folder = make_course(tmp_path / "late", "set1", {"problem": problem()}, config)
    with Gradebook(f"sqlite:///{folder}/gradebook.db") as gradebook:
        gradebook.update_or_create_assignment("set1", duedate="2020-01-01 00:00:00 UTC")
    for name, day in (("early", "2019-12-31"), ("late", "2020-01-02")):
        stamp = {"timestamp.txt": f"{day} 12:00:00 UTC".encode()}
        submit(folder, "set1", "problem", name, RIGHT, files=stamp)
    code, text = nbgrader(folder, "autograde", "set1")
    assert code == 0, text
    with Gradebook(f"sqlite:///{folder}/gradebook.db") as gradebook:
        found = {s.student_id: s for s in gradebook.assignment_submissions("set1")}
        assert (found["early"].score, found["late"].score) == (4.5, 4.5)
        assert found["early"].late_submission_penalty == 0.0
        assert found["late"].late_submission_penalty == 4.5


def test_what_formgrader_asks_of_nbgrader_works(folder, log):
    """The buttons and lists of formgrader are calls of nbgrader's NbGraderAPI."""
    api = make_api(folder)
    again = api.autograde("set1", "ada", force=True)
    assert again["success"], again.get("error")
    ada = api.get_submission("set1", "ada")
    assert (ada["score"], ada["autograded"], ada["needs_manual_grade"]) == (
        4.5,
        True,
        False,
    )
    (book,) = api.get_student_notebook_submissions("bob", "set1")
    assert book["needs_manual_grade"]  # a written answer waits for a person
    assert book["failed_tests"]
