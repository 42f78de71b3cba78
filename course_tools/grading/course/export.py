"""Scores as tables that other programs read: nbgrader's CSV, Canvas, Moodle."""

import csv
from typing import Any

from nbgrader.api import (
    Assignment,
    Grade,
    MissingEntry,
    SubmittedAssignment,
    SubmittedNotebook,
)
from sqlalchemy import func, select

from course_tools.grading.arguments import FORMATS
from course_tools.grading.text import printable

FORMULA = ("=", "+", "-", "@")  # how a formula begins

NBGRADER = (
    "assignment",
    "duedate",
    "timestamp",
    "student_id",
    "last_name",
    "first_name",
    "email",
    "raw_score",
    "late_submission_penalty",
    "score",
    "max_score",
)


def collect(gradebook, assignments=(), students=()):
    """Return one dictionary per assignment and student, with nbgrader's keys."""
    rows = []
    for assignment in sorted(gradebook.assignments, key=lambda item: item.name):
        if assignments and assignment.name not in assignments:
            continue
        for student in sorted(gradebook.students, key=lambda item: item.id):
            if not students or student.id in students:
                rows.append(_row(gradebook, assignment, student))
    return rows


def count_unmarked(gradebook, assignments=()):
    """Return how many answers wait for a person, in some or in all assignments."""
    query = select(func.count(Grade.id)).where(Grade.needs_manual_grade)
    query = query.join(SubmittedNotebook, Grade.notebook_id == SubmittedNotebook.id)
    query = query.join(
        SubmittedAssignment, SubmittedNotebook.assignment_id == SubmittedAssignment.id
    )
    query = query.join(Assignment, SubmittedAssignment.assignment_id == Assignment.id)
    if assignments:
        query = query.where(Assignment.name.in_(assignments))
    return gradebook.db.execute(query).scalar()


def _row(gradebook, assignment, student):
    row = {
        "assignment": assignment.name,
        "duedate": assignment.duedate,
        "student_id": student.id,
        "last_name": student.last_name,
        "first_name": student.first_name,
        "email": student.email,
        "max_score": assignment.max_score,
        "timestamp": "",
        "handed_in": False,
    }
    row.update(raw_score=0.0, late_submission_penalty=0.0, score=0.0)
    try:
        submission = gradebook.find_submission(assignment.name, student.id)
    except MissingEntry:
        return row
    penalty = submission.late_submission_penalty
    row.update(
        timestamp=submission.timestamp,
        raw_score=submission.score,
        late_submission_penalty=penalty,
        score=max(0.0, submission.score - penalty),
        handed_in=True,
    )
    return row


def write(rows, form, file):
    """Write the rows in one of FORMATS to an open text file."""
    if form not in FORMATS:
        raise ValueError(f"format {form!r} is not one of {FORMATS}")
    writer = csv.writer(file, lineterminator="\n")
    table = {"nbgrader": _nbgrader, "canvas": _canvas, "moodle": _moodle}[form](rows)
    for line in table:
        writer.writerow([harmless(value) for value in line])


def _nbgrader(rows):
    yield NBGRADER
    for row in rows:
        yield [row[key] for key in NBGRADER]


def _by_student(rows):
    """Return (assignment names with their maximum, rows by student and assignment)."""
    names = {row["assignment"]: row["max_score"] for row in rows}
    students = {}
    for row in rows:
        students.setdefault(row["student_id"], {})[row["assignment"]] = row
    return names, students


def _marks(scores, names):
    """Return one field per assignment, empty where nothing was handed in."""
    rows = [scores[name] for name in names]
    return [row["score"] if row["handed_in"] else "" for row in rows]


def _full_name(row):
    parts = [row["last_name"], row["first_name"]]
    return ", ".join(part for part in parts if part) or row["student_id"]


def _canvas(rows):
    """Canvas matches students by SIS login; its second line holds the maxima."""
    names, students = _by_student(rows)
    yield ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *names]
    yield ["    Points Possible", "", "", "", "", *names.values()]
    for student, scores in students.items():
        some = next(iter(scores.values()))
        yield [_full_name(some), "", "", student, "", *_marks(scores, names)]


def _moodle(rows):
    """Moodle matches students by user name or mail address."""
    names, students = _by_student(rows)
    yield ["username", "email", "firstname", "lastname", *names]
    for student, scores in students.items():
        some = next(iter(scores.values()))
        who = [student, some["email"], some["first_name"], some["last_name"]]
        yield [*who, *_marks(scores, names)]


def harmless(value: Any) -> Any:
    """Return a value that no spreadsheet takes for a formula, no terminal for orders.

    Names are chosen by students, and a folder may have a name with control characters.
    """
    if value is None:
        return ""
    if not isinstance(value, str):
        return value
    text = printable(value)
    return "'" + text if text.startswith(FORMULA) else text
