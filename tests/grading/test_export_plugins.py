"""`nbgrader export` with the project's settings is `./course export`."""

import csv
import subprocess
import sys

import pytest
from made_course import grade, make_course, submit
from nbgrader.api import Gradebook
from nbgrader_commands import nbgrader
from square_problem import ABS, RIGHT, problem

from course_tools.grading.course.export import harmless

PLUGINS = "course_tools.grading.export_plugins"
HOSTILE = "eve\x1b[31m\x07\u202eDROP"  # the name of a folder, chosen by its owner
DISARMED = "eve?[31m??DROP"


def settings(project_root):
    """The project's own nbgrader_config.py, for a course that made_course makes."""
    config = (project_root / "nbgrader_config.py").read_text("utf-8")
    for step in ("source", "release"):
        config += f'\nc.CourseDirectory.{step}_directory = "{step}"\n'
    return config


@pytest.fixture(scope="module")
def folder(tmp_path_factory, project_root):
    """Two sets and three students; the scores stand in the gradebook already."""
    made = tmp_path_factory.mktemp("export") / "course"
    make_course(made, "set1", {"problem": problem()}, settings(project_root))
    with Gradebook(f"sqlite:///{made}/gradebook.db") as book:
        book.add_assignment("set2")
        book.add_student("ada", first_name='Ada "A"', last_name="King, Countess")
        book.add_student("bob", first_name="=1+1", email="@SUM(A1)")
        book.add_student(HOSTILE)
        for student, points in (("ada", 2.0), (HOSTILE, 1.0)):
            book.add_submission("set1", student)
            for found in book.find_submission_notebook(
                "problem", "set1", student
            ).grades:
                found.auto_score = points if found.name == "test_square" else 0.0
                found.needs_manual_grade = found.name == "essay"
        book.db.commit()
    return made


def course_export(folder, form):
    """What `./course export` writes to a file, byte by byte."""
    path = folder / f"own_{form}.csv"
    words = ["export", "--course", folder, "--format", form, "--to", path]
    command = [sys.executable, "-P", "-m", "course_tools", *words]
    subprocess.run(command, check=True, capture_output=True)
    return path.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Nbgrader", "Canvas", "Moodle"])
def test_both_commands_write_the_same_table(folder, name):
    words = [f"--exporter={PLUGINS}.{name}", "--to=table.csv"]
    code, log = nbgrader(folder, "export", *words)
    assert code == 0, log
    written = (folder / "table.csv").read_bytes()
    assert written == course_export(folder, name.lower())
    assert DISARMED in written.decode()
    assert not [byte for byte in written if byte < 32 and byte != ord("\n")]


@pytest.mark.slow
def test_plain_nbgrader_export_is_safe_without_a_word(folder):
    """nbgrader's own exporter quotes nothing; the settings name another one."""
    code, log = nbgrader(folder, "export")
    assert code == 0, log
    assert (folder / "grades.csv").read_bytes() == course_export(folder, "nbgrader")
    with (folder / "grades.csv").open(newline="") as file:
        rows = {
            (row["assignment"], row["student_id"]): row for row in csv.DictReader(file)
        }
    assert rows["set1", "ada"]["last_name"] == "King, Countess"
    assert rows["set1", "ada"]["score"] == "2.0"
    assert rows["set1", "bob"]["first_name"] == "'=1+1"
    assert rows["set1", "bob"]["email"] == "'@SUM(A1)"
    assert rows["set1", DISARMED]["score"] == "1.0"
    assert "2 answers wait for a person to mark them" in log


@pytest.mark.slow
def test_some_sets_and_students_may_be_named(folder):
    words = ["--assignment=set1", "--student=['ada']"]
    code, log = nbgrader(folder, "export", f"--exporter={PLUGINS}.Moodle", *words)
    assert code == 0, log
    with (folder / "moodle.csv").open(newline="") as file:
        head, *rows = csv.reader(file)
    assert head == ["username", "email", "firstname", "lastname", "set1"]
    assert rows == [["ada", "", 'Ada "A"', "King, Countess", "2.0"]]
    (folder / "moodle.csv").unlink()
    wrong = ["--assignment=set3"]
    code, log = nbgrader(folder, "export", f"--exporter={PLUGINS}.Moodle", *wrong)
    assert code == 1
    assert "not in the gradebook: set3" in log
    assert not (folder / "moodle.csv").exists()


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@A1", "'@A1"),
        ("\t=1", "?=1"),
        ("a\x1b[2Jb\r\nc", "a?[2Jb??c"),
        ("Zoë O'Neil-Ångström", "Zoë O'Neil-Ångström"),
        ("", ""),
        (None, ""),
        (-0.5, -0.5),
    ],
)
def test_no_text_is_a_formula_or_moves_a_cursor(value, written):
    assert harmless(value) == written


@pytest.mark.slow
@pytest.mark.usefixtures("warm")
def test_the_name_of_a_folder_is_disarmed_from_submission_to_table(tmp_path):
    made = make_course(tmp_path / "course", "set1", {"problem": problem()})
    submit(made, "set1", "problem", "bob", ABS)
    submit(made, "set1", "problem", HOSTILE, RIGHT)
    assert grade(made, "set1").code == 0
    for form in ("nbgrader", "canvas", "moodle"):
        table = course_export(made, form)
        assert b"\x1b" not in table
        line = next(line for line in table.decode().splitlines() if DISARMED in line)
        assert "4.5" in line.split(",")
