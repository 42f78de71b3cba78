"""nbgrader's own example course, which knows nothing of this one."""

import json
import shutil
import subprocess
import sys

import pytest
from bench import nbgrader
from nbgrader.api import Gradebook

from course_tools.grading.course.course import Course

pytestmark = pytest.mark.slow
WRONG = "def squares(n):\n    return [i ** 2 for i in range(n)]"


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """The example with three students: solved, untouched, and wrong in one cell."""
    parent = tmp_path_factory.mktemp("quickstart")
    Course(parent)  # puts alembic, which nbgrader calls by name, on the path
    nbgrader(parent, "quickstart", "example")
    folder = parent / "example"
    nbgrader(folder, "generate_assignment", "ps1")
    for student, kind in (("ada", "source"), ("bob", "release"), ("cyd", "source")):
        shutil.copytree(folder / kind / "ps1", folder / "submitted" / student / "ps1")
    path = folder / "submitted" / "cyd" / "ps1" / "problem1.ipynb"
    book = json.loads(path.read_text())
    (cell,) = (c for c in book["cells"] if grade_id(c) == "squares")
    cell["source"] = WRONG
    path.write_text(json.dumps(book))
    return folder


def grade_id(cell) -> str | None:
    return cell["metadata"].get("nbgrader", {}).get("grade_id")


def scores(folder) -> dict:
    """Student -> question -> points, as the gradebook has them."""
    with Gradebook(f"sqlite:///{folder}/gradebook.db") as book:
        return {
            submission.student_id: {
                f"{notebook.name}/{grade.name}": grade.auto_score
                for notebook in submission.notebooks
                for grade in notebook.grades
            }
            for submission in book.assignment_submissions("ps1")
        }


def test_the_same_points_as_from_nbgrader(course, tmp_path):
    plain = shutil.copytree(course, tmp_path / "plain")
    nbgrader(plain, "autograde", "ps1")
    words = ["grade", "ps1", "--course", str(course), "--json", "--no-feedback"]
    done = subprocess.run(
        [sys.executable, "-P", "-m", "course_tools", *words],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    ours, theirs = scores(course), scores(plain)
    assert ours == theirs
    assert sum(filter(None, ours["cyd"].values())) > 0
    assert len({repr(found) for found in ours.values()}) == 3
    rows = json.loads(done.stdout)["submissions"]
    assert [row["incidents"] for row in rows] == [[], [], []]
