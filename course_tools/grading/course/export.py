"""Scores as tables that other programs read: nbgrader's CSV, Canvas, Moodle."""

import csv
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import Any, TextIO

from nbgrader.api import (
    Assignment,
    Grade,
    Gradebook,
    MissingEntry,
    SubmittedAssignment,
    SubmittedNotebook,
)
from sqlalchemy import func, select

from course_tools.grading.options import FORMATS
from course_tools.grading.text import printable

FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")  # how a formula begins
NO_MARK = "-"  # for Moodle

Line = Sequence[Any]


@dataclass(frozen=True)
class ScoreRow:
    """One student's score in one assignment; the names are those of nbgrader's CSV."""

    assignment: str
    duedate: datetime | None
    timestamp: datetime | None
    student_id: str
    last_name: str | None
    first_name: str | None
    email: str | None
    raw_score: float
    late_submission_penalty: float
    score: float
    max_score: float


NBGRADER = tuple(field.name for field in fields(ScoreRow))


@dataclass(frozen=True)
class Entry:
    """A row, and whether anything was handed in."""

    row: ScoreRow
    handed_in: bool


def collect(
    gradebook: Gradebook,
    assignments: Collection[str] = (),
    students: Collection[str] = (),
) -> list[Entry]:
    """Return one entry per assignment and student; all unless some are named."""
    entries = []
    for assignment in sorted(gradebook.assignments, key=lambda item: item.name):
        if assignments and assignment.name not in assignments:
            continue
        for student in sorted(gradebook.students, key=lambda item: item.id):
            if not students or student.id in students:
                entries.append(_entry(gradebook, assignment, student))
    return entries


def count_unmarked(gradebook: Gradebook, assignments: Collection[str] = ()) -> int:
    """Return how many answers wait for a person, in some or in all assignments."""
    query = select(func.count(Grade.id)).where(Grade.needs_manual_grade)
    query = query.join(SubmittedNotebook, Grade.notebook_id == SubmittedNotebook.id)
    query = query.join(
        SubmittedAssignment, SubmittedNotebook.assignment_id == SubmittedAssignment.id
    )
    query = query.join(Assignment, SubmittedAssignment.assignment_id == Assignment.id)
    if assignments:
        table: Any = Assignment  # nbgrader's tables have no types
        query = query.where(table.name.in_(assignments))
    return gradebook.db.execute(query).scalar() or 0


def _entry(gradebook: Gradebook, assignment: Any, student: Any) -> Entry:
    """`assignment` and `student` are rows of nbgrader's tables, which have no types."""
    row = ScoreRow(
        assignment=assignment.name,
        duedate=assignment.duedate,
        timestamp=None,
        student_id=student.id,
        last_name=student.last_name,
        first_name=student.first_name,
        email=student.email,
        raw_score=0.0,
        late_submission_penalty=0.0,
        score=0.0,
        max_score=assignment.max_score,
    )
    try:
        submission: Any = gradebook.find_submission(assignment.name, student.id)
    except MissingEntry:
        return Entry(row, handed_in=False)
    penalty = submission.late_submission_penalty
    row = replace(
        row,
        timestamp=submission.timestamp,
        raw_score=submission.score,
        late_submission_penalty=penalty,
        score=max(0.0, submission.score - penalty),
    )
    return Entry(row, handed_in=True)


def write(entries: Sequence[Entry], form: str, file: TextIO) -> None:
    """Write the entries in one of FORMATS to an open text file."""
    if form not in FORMATS:
        raise ValueError(f"format {form!r} is not one of {FORMATS}")
    table = {"nbgrader": _nbgrader, "canvas": _canvas, "moodle": _moodle}[form]
    write_rows(table(entries), file)


def write_rows(rows: Iterable[Line], file: TextIO) -> None:
    """Write a table in which nothing is taken for a formula."""
    writer = csv.writer(file, lineterminator="\n")
    for row in rows:
        writer.writerow([harmless(value) for value in row])


def _nbgrader(entries: Sequence[Entry]) -> Iterator[Line]:
    yield NBGRADER
    for entry in entries:
        yield [getattr(entry.row, name) for name in NBGRADER]


ByStudent = dict[str, dict[str, Entry]]  # student -> assignment -> entry


def _by_student(entries: Sequence[Entry]) -> tuple[dict[str, float], ByStudent]:
    """Return (assignment names with their maximum, entries by student)."""
    names = {entry.row.assignment: entry.row.max_score for entry in entries}
    students: ByStudent = {}
    for entry in entries:
        own = students.setdefault(entry.row.student_id, {})
        own[entry.row.assignment] = entry
    return names, students


def _marks(
    own: dict[str, Entry], names: Collection[str], nothing: str = ""
) -> list[float | str]:
    """Return one field per assignment; `nothing` where nothing was handed in."""
    entries = [own[name] for name in names]
    return [entry.row.score if entry.handed_in else nothing for entry in entries]


def _full_name(row: ScoreRow) -> str:
    parts = [row.last_name, row.first_name]
    return ", ".join(part for part in parts if part) or row.student_id


def _canvas(entries: Sequence[Entry]) -> Iterator[Line]:
    """Canvas matches students by SIS login; its second line holds the maxima."""
    names, students = _by_student(entries)
    yield ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *names]
    yield ["    Points Possible", "", "", "", "", *names.values()]
    for student, own in students.items():
        some = next(iter(own.values())).row
        yield [_full_name(some), "", "", student, "", *_marks(own, names)]


def _moodle(entries: Sequence[Entry]) -> Iterator[Line]:
    """Moodle matches students by user name or mail address; it makes 0 of ""."""
    names, students = _by_student(entries)
    yield ["username", "email", "firstname", "lastname", *names]
    for student, own in students.items():
        some = next(iter(own.values())).row
        who = [student, some.email, some.first_name, some.last_name]
        yield [*who, *_marks(own, names, NO_MARK)]


def harmless(value: Any) -> Any:
    """Return a value that no spreadsheet takes for a formula, no terminal for orders.

    Names are chosen by students, and a folder may have a name with control characters.
    """
    if value is None:
        return ""
    if not isinstance(value, str):
        return value
    text = printable(value)
    return "'" + text if text.startswith(FORMULA) and text != NO_MARK else text
