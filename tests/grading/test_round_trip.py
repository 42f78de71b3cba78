"""The whole way of a problem set with plain nbgrader commands, in a course folder.

generate_assignment, hand in, autograde, generate_feedback, export: what an instructor
does, and what the exported marks say.
"""

import csv

import nbformat
import pytest
from bench import (
    ANSWERS,
    ROOT,
    make_course,
    nbgrader,
    questions,
    read_answer,
    solution_cells,
    source,
    submission,
    submit,
)
from nbgrader.api import Gradebook

SET = "ps1_rnn"
WRONG = ANSWERS / SET / "wrong" / "bptt_pairs_same_state.py"

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course folder in which three students have gone all the way."""
    folder = tmp_path_factory.mktemp("course")
    release = nbformat.read(make_course(folder, SET), as_version=4)
    solved = solution_cells(source(SET))
    written = {"derivation": "There are two paths from $h_t$ to $L$: …"}
    submit(folder, SET, "ada", submission(release, solved | written))
    submit(folder, SET, "bob", release)
    submit(folder, SET, "cyd", submission(release, solved | read_answer(WRONG).cells))
    nbgrader(folder, "autograde", SET)
    return folder


@pytest.fixture(scope="module")
def exported(course):
    """The same folder after a person has marked ada's derivation with 8 points."""
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as book:
        grade = book.find_grade("derivation", SET, SET, "ada")
        grade.manual_score, grade.needs_manual_grade = 8.0, False
        book.db.commit()
    nbgrader(course, "generate_feedback", SET)
    nbgrader(course, "export")
    return course


def test_nbgrader_itself_makes_the_release_that_is_stored(course):
    made = sorted(p for p in (course / "assignments").rglob("*") if p.is_file())
    stored = [ROOT / path.relative_to(course) for path in made]
    assert [path.read_bytes() for path in made] == [p.read_bytes() for p in stored]


def test_only_a_written_answer_waits_for_a_person(course):
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as book:
        waiting = {
            student: [
                grade.name
                for grade in book.find_submission_notebook(SET, SET, student).grades
                if grade.needs_manual_grade
            ]
            for student in ("ada", "bob", "cyd")
        }
    assert waiting == {"ada": ["derivation"], "bob": [], "cyd": []}


def test_the_exported_marks(exported):
    with open(exported / "grades.csv", newline="") as file:
        rows = {row["student_id"]: row for row in csv.DictReader(file)}
    auto = sum(questions(source(SET)).values())
    lost = sum(best - kept for kept, best in read_answer(WRONG).fails.values())
    marks = {name: float(row["score"]) for name, row in rows.items()}
    assert marks == {"ada": auto + 8, "bob": 0.0, "cyd": auto - lost}
    assert {float(row["max_score"]) for row in rows.values()} == {100.0}


def test_the_feedback_tells_what_was_wrong(exported):
    pages = {path.parts[-3]: path for path in exported.glob("feedback/*/*/*.html")}
    assert sorted(pages) == ["ada", "bob", "cyd"]
    hint = "the state before the step"
    told = {name: hint in outputs(path.read_text()) for name, path in pages.items()}
    assert told == {"ada": False, "bob": False, "cyd": True}


def outputs(page: str) -> str:
    """The text of a feedback page without the code cells, which quote all hints."""
    return "".join(
        part.split("</pre>")[0] for part in page.split('<div class="output')[1:]
    )
