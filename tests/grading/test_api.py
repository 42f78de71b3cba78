"""`grade(course, assignment, GradeOptions)`: the engine without a command line."""

import subprocess
import sys

import pytest
from made_course import make_course, submit
from square_problem import ABS, RIGHT, problem

from course_tools.errors import CommandError, Stopped
from course_tools.grading import GradeOptions, grade
from course_tools.grading.run import job

pytestmark = pytest.mark.usefixtures("warm")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("api") / "course"
    make_course(place, "set1", {"problem": problem()})
    submit(place, "set1", "problem", "ada", RIGHT)
    submit(place, "set1", "problem", "bob", ABS)
    return place


def test_a_report_comes_back(folder, capsys):
    report = grade(folder, "set1", GradeOptions(feedback=False))
    assert {row.student: row.score for row in report.rows} == {"ada": 4.5, "bob": 2.5}
    assert (report.assignment, report.graded, report.to_mark) == ("set1", 2, 1)
    bob = {question.id: question for question in report.rows[1].questions}
    assert bob["test_square"].message == "AssertionError: negative"
    with open(report.path) as file:
        assert file.read() == report.as_text() + "\n"
    assert not (folder / "feedback").exists()
    again = grade(folder, "set1", GradeOptions(only=("bob",)))
    assert (again.graded, len(again.rows)) == (0, 1)
    assert capsys.readouterr() == ("", "")  # nothing is printed


def test_what_cannot_go_on_is_raised(folder, monkeypatch):
    with pytest.raises(CommandError, match="no submission of zoe"):
        grade(folder, "set1", GradeOptions(only=("zoe",)))

    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(job, "run", stop)
    with pytest.raises(Stopped, match="again without --force to continue"):
        grade(folder, "set1", GradeOptions(force=True))


def test_the_interface_is_loaded_without_anything_heavy():
    """`./course --help` loads it before anything is installed."""
    heavy = "numpy", "torch", "nbgrader", "nbformat", "sqlalchemy", "IPython", "tqdm"
    code = (
        "import sys\n"
        "from course_tools.grading import GradeOptions, grade\n"
        "from course_tools.cli import command_line\n"
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    words = [sys.executable, "-P", "-c", code]
    assert subprocess.run(words, capture_output=True, text=True).stdout == "[]\n"
