"""Marks filled into the table that Canvas itself exports.

Canvas then finds students by its own number and columns by `title (number)`, so nothing
has to be chosen by hand. A field without a mark of ours keeps what it had: for Canvas
an empty field over a mark would be a change.
"""

import csv
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from course_tools.errors import CommandError
from course_tools.grading.course.export import Entry

KEPT = ("Student", "ID", "SIS User ID", "SIS Login ID", "Integration ID", "Section")
TITLE = re.compile(r"(.*) \((\d+)\)")


def read(path: str) -> list[list[str]]:
    """The rows of Canvas's table."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
        table = list(csv.reader(text.splitlines()))
    except (OSError, ValueError, csv.Error) as error:
        why = getattr(error, "strerror", None) or "it is no table"
        raise CommandError(f"{path} cannot be read: {why}", code=2) from None
    if not table or not {"Student", "ID"} <= set(table[0]):
        raise CommandError(f"{path} is no gradebook exported by Canvas", code=2)
    return [row + [""] * (len(table[0]) - len(row)) for row in table]


def fill(
    entries: Sequence[Entry], table: list[list[str]]
) -> tuple[list[list[str]], list[str]]:
    """Return the table with our marks, and what is to be said about it."""
    head, *rows = table
    sets = list(dict.fromkeys(entry.row.assignment for entry in entries))
    columns = {
        name: column for name in sets if (column := find(name, head)) is not None
    }
    notes = [f"Canvas has no column of {name}" for name in sets if name not in columns]
    kept = [head.index(name) for name in KEPT if name in head] + list(columns.values())
    marks = {(e.row.student_id, e.row.assignment): e for e in entries}
    known = {entry.row.student_id for entry in entries}
    listed: set[str] = set()
    for row in rows:
        student = next((own for own in names_of(head, row) if own in known), None)
        if student is None:
            continue
        listed.add(student)
        for name, column in columns.items():
            entry = marks.get((student, name))
            if entry and entry.handed_in:
                row[column] = f"{entry.row.score:g}"
    handed_in = {e.row.student_id for e in entries if e.handed_in}
    notes += [f"not in Canvas's table: {one}" for one in sorted(handed_in - listed)]
    return [[row[column] for column in kept] for row in [head, *rows]], notes


def find(name: str, head: list[str]) -> int | None:
    """The column of a set: its title is the name, or the part before `_`."""
    titles = [TITLE.fullmatch(cell) for cell in head]
    for wanted in (name, name.split("_")[0]):
        for column, title in enumerate(titles):
            if title and plain(title[1]) == plain(wanted):
                return column
    return None


def plain(text: str) -> str:
    return re.sub(r"[\W_]", "", text).casefold()


def names_of(head: list[str], row: list[str]) -> Iterator[str]:
    """The ids under which a student of Canvas may be known here."""
    fields = dict(zip(head, row, strict=True))
    for column in ("SIS Login ID", "SIS User ID", "ID"):
        if fields.get(column):
            yield fields[column]
    # as ./course collect names who is in no roster: letters of the name, and the number
    yield f"{plain(fields['Student'])}_{fields['ID']}"
