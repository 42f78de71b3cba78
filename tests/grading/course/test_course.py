"""Whole runs over made-up courses: gradebook, files, reruns, odd submissions."""

import json
import os
import shutil
import stat
import subprocess
import sys

import pytest
from made_course import cell, course, grade, make_course, notebook, released, submit
from nbgrader import dbutil
from nbgrader.api import Gradebook
from nbgrader.utils import determine_grade
from square_problem import ABS, RIGHT, export, problem

from course_tools.grading import text
from course_tools.grading.course.gradebook import newest_tables
from course_tools.grading.run import job, zygote_client

pytestmark = pytest.mark.usefixtures("warm")


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    made = tmp_path_factory.mktemp("template") / "course"
    return make_course(made, "set1", {"problem": problem()})


@pytest.fixture
def folder(template, tmp_path):
    return shutil.copytree(template, tmp_path / "course")


def test_a_new_gradebook_has_the_version_that_nbgrader_would_give_it():
    with dbutil._temp_alembic_ini("sqlite://") as settings:
        command = [sys.executable, "-m", "alembic.config", "-c", settings, "heads"]
        said = subprocess.run(command, capture_output=True, text=True, check=True)
    assert said.stdout.split()[0] == newest_tables()


def test_scores_in_report_gradebook_and_notebook(folder):
    submit(folder, "set1", "problem", "ada", RIGHT)
    submit(folder, "set1", "problem", "bob", ABS)
    submit(folder, "set1", "problem", "eve")
    result = grade(folder, "set1")
    assert result.code == 0, result.errors
    assert result.report["assignment"] == "set1"
    assert [row["student"] for row in result.report["submissions"]] == [
        "ada",
        "bob",
        "eve",
    ]
    assert [result.rows[name]["score"] for name in ("ada", "bob", "eve")] == [
        4.5,
        2.5,
        0.0,
    ]
    found = {q["id"]: q for q in result.rows["bob"]["questions"]}
    assert found["test_square"]["status"] == "failed"
    assert found["test_square"]["message"] == "AssertionError: negative"
    assert found["test_part"]["status"] == "partial"
    assert result.rows["ada"]["max_score"] == 10.0
    with Gradebook(f"sqlite:///{folder}/gradebook.db") as gradebook:
        for name, row in result.rows.items():
            assert gradebook.find_submission("set1", name).score == row["score"]
        bob = gradebook.find_submission_notebook("problem", "set1", "bob")
        by_name = {grade.name: grade for grade in bob.grades}
        assert by_name["essay"].needs_manual_grade
        assert not by_name["test_square"].needs_manual_grade
        eve = gradebook.find_submission_notebook("problem", "set1", "eve")
        assert {c.name: c.auto_comment for c in eve.comments} == {
            "square": "No response.",
            "essay": "No response.",
        }


def test_nbgrader_reads_the_same_scores_from_the_autograded_notebook(folder):
    submit(folder, "set1", "problem", "bob", ABS)
    result = grade(folder, "set1")
    import nbformat

    path = folder / "autograded" / "bob" / "set1" / "problem.ipynb"
    made = nbformat.read(path, as_version=4)
    nbformat.validate(made)
    scores = {
        c.metadata.nbgrader.grade_id: determine_grade(c)[0]
        for c in made.cells
        if c.metadata.get("nbgrader", {}).get("grade")
    }
    expected = {q["id"]: q["score"] for q in result.rows["bob"]["questions"]}
    assert scores == {**expected, "essay": None}
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o444


def test_feedback_page(folder):
    submit(folder, "set1", "problem", "bob", ABS)
    grade(folder, "set1")
    page = (folder / "feedback" / "bob" / "set1" / "problem.html").read_text()
    assert "a hidden check failed: negative" in page
    assert "square(-17" not in page  # (289 may stand in the random id of a cell)
    assert "Score: 2.5 / 10.0" in page


def test_a_course_with_its_own_marks_around_hidden_tests(tmp_path):
    test = (
        'assert f() < 9\n# BEGIN SECRET\nassert f() == 731954, "exactly"\n# END SECRET'
    )
    config = "c.ClearHiddenTests.begin_test_delimeter = 'BEGIN SECRET'\n"
    config += "c.ClearHiddenTests.end_test_delimeter = 'END SECRET'\n"
    made = notebook(cell("solution", "f", "def f(): 0"), cell("test", "t", test, 1))
    folder = make_course(tmp_path / "course", "set1", {"problem": made}, config)
    assert "731954" not in json.dumps(released(folder, "set1", "problem"))
    submit(folder, "set1", "problem", "ada", {"f": "def f(): return 3"})
    result = grade(folder, "set1")
    assert result.rows["ada"]["incidents"] == []
    page = (folder / "feedback" / "ada" / "set1" / "problem.html").read_text()
    assert "a hidden check failed: exactly" in page
    assert "731954" not in page


def test_a_second_run_grades_nothing_again(folder):
    submit(folder, "set1", "problem", "ada", RIGHT)
    first = grade(folder, "set1")
    record = folder / ".grading" / "set1" / "ada" / "record.json"
    stamp = record.stat().st_mtime_ns
    second = grade(folder, "set1")
    assert second.rows == first.rows
    assert record.stat().st_mtime_ns == stamp
    grade(folder, "set1", "--force")
    assert record.stat().st_mtime_ns > stamp


def test_a_changed_submission_is_graded_again(folder):
    submit(folder, "set1", "problem", "ada")
    assert grade(folder, "set1").rows["ada"]["score"] == 0.0
    submit(folder, "set1", "problem", "ada", RIGHT)
    assert grade(folder, "set1").rows["ada"]["score"] == 4.5


def test_manual_scores_survive_grading_again(folder):
    submit(folder, "set1", "problem", "bob", ABS)
    grade(folder, "set1")
    with Gradebook(f"sqlite:///{folder}/gradebook.db") as gradebook:
        for name, score in (("essay", 3.0), ("test_square", 1.0)):
            found = gradebook.find_grade(name, "problem", "set1", "bob")
            found.manual_score = score
        gradebook.db.commit()
    again = grade(folder, "set1", "--force")
    assert again.rows["bob"]["score"] == 1.0 + 1.5 + 1.0 + 3.0
    with Gradebook(f"sqlite:///{folder}/gradebook.db") as gradebook:
        found = gradebook.find_grade("test_square", "problem", "set1", "bob")
        assert (found.manual_score, found.auto_score) == (1.0, 0.0)
        assert found.needs_manual_grade


def test_late_penalty_of_nbgrader(tmp_path):
    config = "c.LateSubmissionPlugin.penalty_method = 'zero'\n"
    folder = make_course(tmp_path / "late", "set1", {"problem": problem()}, config)
    with Gradebook(f"sqlite:///{folder}/gradebook.db") as gradebook:
        gradebook.update_or_create_assignment("set1", duedate="2020-01-01 00:00:00 UTC")
    for name, day in (("early", "2019-12-31"), ("late", "2020-01-02")):
        stamp = {"timestamp.txt": f"{day} 12:00:00 UTC".encode()}
        submit(folder, "set1", "problem", name, RIGHT, files=stamp)
    assert grade(folder, "set1").code == 0
    with Gradebook(f"sqlite:///{folder}/gradebook.db") as gradebook:
        early = gradebook.find_submission("set1", "early")
        late = gradebook.find_submission("set1", "late")
        assert early.late_submission_penalty == 0.0
        assert late.late_submission_penalty == late.score == 4.5
        assert late.total_seconds_late == 36 * 3600


def test_other_layouts_and_only(folder, tmp_path):
    submit(folder, "set1", "problem", "ada", RIGHT)
    outside = tmp_path / "collected"
    shutil.copytree(folder / "submitted" / "ada" / "set1", outside / "flat")
    shutil.copytree(folder / "submitted" / "ada" / "set1", outside / "deep" / "set1")
    (outside / "empty").mkdir()
    (outside / "file.txt").write_text("x")
    result = grade(folder, "set1", "--submissions", str(outside))
    assert {name: row["score"] for name, row in result.rows.items()} == {
        "flat": 4.5,
        "deep": 4.5,
    }
    result = grade(
        folder, "set1", "--submissions", str(outside), "--only", "deep", "--force"
    )
    assert list(result.rows) == ["deep"]


def test_several_notebooks_and_missing_ones(tmp_path):
    made = {"one": problem(), "two": problem()}
    folder = make_course(tmp_path / "two", "set1", made)
    submit(folder, "set1", "one", "ada", RIGHT)
    submit(folder, "set1", "two", "ada", RIGHT)
    submit(folder, "set1", "two", "bob", RIGHT)
    (folder / "submitted" / "bob" / "set1" / "extra.ipynb").write_text("{}")
    rows = grade(folder, "set1").rows
    assert rows["ada"]["score"] == 9.0
    assert rows["bob"]["score"] == 4.5
    assert rows["bob"]["max_score"] == 20.0
    assert rows["bob"]["incidents"] == [
        "unknown notebook left out: extra",
        "one: notebook not found",
    ]
    missing = [q for q in rows["bob"]["questions"] if q["status"] == "missing"]
    assert [q["id"] for q in missing] == [
        "one/test_square",
        "one/test_part",
        "one/test_math",
    ]


def test_names_that_cannot_be_stored_cost_only_themselves(folder):
    submit(folder, "set1", "problem", "ada", RIGHT)
    odd = os.fsdecode(b"odd\xff")
    submit(folder, "set1", "problem", odd, RIGHT)
    result = grade(folder, "set1")
    assert result.rows["ada"]["score"] == 4.5
    (row,) = (row for name, row in result.rows.items() if name != "ada")
    assert row["status"] == "not stored"
    assert row["incidents"] == ["could not be stored: UnicodeEncodeError"]


def test_assignment_is_registered_when_the_gradebook_lacks_it(folder):
    submit(folder, "set1", "problem", "ada", RIGHT)
    os.unlink(folder / "gradebook.db")
    assert grade(folder, "set1").rows["ada"]["score"] == 4.5


def test_a_new_gradebook_gets_all_scores(folder):
    submit(folder, "set1", "problem", "ada", RIGHT)
    assert grade(folder, "set1").rows["ada"]["score"] == 4.5
    os.unlink(folder / "gradebook.db")
    assert grade(folder, "set1").rows["ada"]["score"] == 4.5
    with Gradebook(f"sqlite:///{folder}/gradebook.db") as gradebook:
        assert gradebook.find_submission("set1", "ada").score == 4.5


def test_what_could_not_be_run_is_tried_again(folder, monkeypatch):
    """A warm process that is lost each time is no fault of the submission."""
    submit(folder, "set1", "problem", "ada", RIGHT)
    with monkeypatch.context() as broken:
        broken.setattr(job, "run", _gone)
        row = grade(folder, "set1").rows["ada"]
    assert row["status"] == "not graded"
    assert row["incidents"] == ["could not be run: ZygoteGone: the end"]
    with Gradebook(f"sqlite:///{folder}/gradebook.db") as gradebook:
        assert gradebook.assignment_submissions("set1") == []
    assert grade(folder, "set1").rows["ada"]["score"] == 4.5


def _gone(*_):
    raise zygote_client.ZygoteGone("the end")


def test_source_folder_is_not_needed(folder):
    submit(folder, "set1", "problem", "ada", RIGHT)
    shutil.rmtree(folder / "source")
    assert grade(folder, "set1").rows["ada"]["score"] == 4.5


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nothing"], "there is no problem set 'nothing'; there are: set1"),
        (["set1", "--only", "nobody"], "no submission of nobody"),
        (["set1", "--submissions", "/nowhere"], "no folder of submissions: /nowhere"),
        (["set1", "--course", "/nowhere"], "no such course folder: /nowhere"),
        (["set1", "--db", "sqlite:////nowhere/x.db"], "the gradebook cannot be used"),
    ],
)
def test_mistakes_give_one_line(folder, arguments, words):
    submit(folder, "set1", "problem", "ada", RIGHT)
    if "--course" not in arguments:
        arguments = [*arguments, "--course", folder]
    result = course("grade", *arguments)
    assert result.code == 1
    assert words in result.errors
    assert result.errors.count("\n") == 1
    assert result.text == ""


def test_table_and_summary(folder):
    submit(folder, "set1", "problem", "ada", RIGHT)
    submit(folder, "set1", "problem", "bob", ABS)
    shown = course("grade", "set1", "--course", folder, "--no-feedback").text
    assert "bob         2.50      10" in shown
    assert "test_square   50 % passed  mean  1.00 of 2\n" in shown
    assert "      1 x AssertionError: negative" in shown
    assert shown.index("test_math ") < shown.index("test_square ")  # the hardest last
    assert "2 scores: mean 3.5, median 3.5, from 2.5 to 4.5" in shown
    assert "1 answer waits for a person to mark it" in shown
    assert "2 graded, 0 already graded" in shown


def test_control_characters_do_not_reach_the_terminal():
    assert text.printable("a\x1b[31mb\nc") == "a?[31mb?c"


def test_exports(folder):
    submit(folder, "set1", "problem", "ada", RIGHT)
    submit(folder, "set1", "problem", "bob", ABS)
    grade(folder, "set1")
    with Gradebook(f"sqlite:///{folder}/gradebook.db") as gradebook:
        gradebook.update_or_create_student(
            "ada", first_name='Ada "A"', last_name="King, Countess", email="a@x.org"
        )
        gradebook.update_or_create_student("bob", first_name="=1+1", last_name="B")
    rows, _ = export(folder)
    assert rows[0][:4] == ["assignment", "duedate", "timestamp", "student_id"]
    assert rows[1][3:] == [
        "ada",
        "King, Countess",
        'Ada "A"',
        "a@x.org",
        "4.5",
        "0.0",
        "4.5",
        "10.0",
    ]
    canvas, _ = export(folder, "--format", "canvas")
    assert canvas[0] == [
        "Student",
        "ID",
        "SIS User ID",
        "SIS Login ID",
        "Section",
        "set1",
    ]
    assert canvas[1][0].strip() == "Points Possible"
    assert canvas[1][5] == "10.0"
    assert canvas[2] == ['King, Countess, Ada "A"', "", "", "ada", "", "4.5"]
    moodle, _ = export(folder, "--format", "moodle", "--assignment", "set1")
    assert moodle[0] == ["username", "email", "firstname", "lastname", "set1"]
    assert moodle[2] == ["bob", "", "'=1+1", "B", "2.5"]


def test_feedback_command_shows_manual_grades(folder):
    submit(folder, "set1", "problem", "bob", ABS)
    grade(folder, "set1", "--no-feedback")
    assert not (folder / "feedback").exists()
    with Gradebook(f"sqlite:///{folder}/gradebook.db") as gradebook:
        found = gradebook.find_grade("essay", "problem", "set1", "bob")
        found.manual_score = 3.25
        gradebook.find_comment(
            "essay", "problem", "set1", "bob"
        ).manual_comment = "Yes!"
        gradebook.db.commit()
    result = course("feedback", "set1", "--course", folder)
    assert result.text == "1 page of feedback for 1 student\n", result.errors
    page = (folder / "feedback" / "bob" / "set1" / "problem.html").read_text()
    assert "Score: 5.75 / 10.0" in page
    assert "Yes!" in page
    assert "square(-17" not in page  # (289 may stand in the random id of a cell)


def test_released_notebook_has_no_hidden_test(folder):
    assert "square(-17" not in json.dumps(released(folder, "set1", "problem"))
