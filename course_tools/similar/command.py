"""The command `similar`: reads submissions, prints pairs, writes a page."""

import argparse
import os
from collections.abc import Mapping, Sequence

from course_tools.atomic import write_file
from course_tools.errors import CommandError
from course_tools.grading.course import find_submissions
from course_tools.grading.course.course import Course
from course_tools.grading.course.records import FOLDER
from course_tools.grading.limits import NOTEBOOK_BYTES
from course_tools.grading.plan import rebuild, solution_facts
from course_tools.grading.plan.rebuild import SubmittedCell
from course_tools.grading.text import printable, writable
from course_tools.similar.compare import OWN, Answer, Pair, alike
from course_tools.similar.page import CANNOT_KNOW, in_words, page
from course_tools.words import number_of

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
SHOWN = 40  # pairs on the terminal; the page has all of them


def run_similar(arguments: argparse.Namespace) -> int:
    """Compare all submissions of a set."""
    course = Course(arguments.course)
    assignment = course.full_name(arguments.assignment)
    folders, _ = course.submissions(assignment, arguments.submissions)
    written = _source_cells(course, assignment)
    names = {cell.grade_id for cell in written if cell.grade_id}
    handed_in, unread = {}, []
    for student, folder in folders.items():
        try:
            cells = _cells_in(folder)
        except (OSError, rebuild.Unreadable):
            unread.append(student)
            continue
        handed_in[student] = _answers(cells, names)
    given = [_answers(written, names), _answers(_stubs(written), names)]
    pairs = alike(handed_in, given, _known(written), arguments.least / 100)
    path = arguments.to or _place(course, assignment)
    write_file(path, writable(page(assignment, pairs, handed_in)), 0o600)
    print(_report(pairs, handed_in, unread, path))
    return 0


def _report(
    pairs: Sequence[Pair],
    handed_in: Mapping[str, Sequence[Answer]],
    unread: Sequence[str],
    path: str,
) -> str:
    lines = [in_words(pair) for pair in pairs[:SHOWN]]
    if len(pairs) > SHOWN:
        lines.append(f"… and {len(pairs) - SHOWN} more pairs, on the page")
    if unread:
        lines.append(f"could not be read: {printable(', '.join(unread))}")
    handed = number_of(len(handed_in), "submission")
    lines.append(f"{number_of(len(pairs), 'pair')} of {handed}; side by side: {path}")
    return "\n".join([*lines, CANNOT_KNOW])


def _place(course: Course, assignment: str) -> str:
    """Beside the report of grading, where only the instructor reads."""
    folder = os.path.join(course.folder, FOLDER, assignment)
    os.makedirs(folder, exist_ok=True)
    return os.path.join(folder, "similar.html")


def _source_cells(course: Course, assignment: str) -> list[SubmittedCell]:
    """The instructor's version; without it nothing could be explained."""
    folder = course.source(assignment)
    if not os.path.isdir(folder) or not find_submissions.notebooks(folder):
        raise CommandError(f"no notebook of {assignment} in {folder}")
    return _cells_in(folder)


def _cells_in(folder: str) -> list[SubmittedCell]:
    """The cells of all notebooks in a folder; links are not followed."""
    found: list[SubmittedCell] = []
    for name in sorted(find_submissions.notebooks(folder)):
        path = os.path.join(folder, name)
        if os.path.islink(path) or not os.path.isfile(path):
            continue
        with open(path, "rb") as file:
            found += rebuild.parse(file.read(NOTEBOOK_BYTES + 1))
    if not found:
        raise rebuild.Unreadable("no notebook")
    return found


def _answers(cells: Sequence[SubmittedCell], names: set[str]) -> list[Answer]:
    """What a student may have written: answers, and cells that are not of the set."""
    found: dict[str, Answer] = {}
    for number, cell in enumerate(cells, 1):
        own = cell.grade_id not in names
        name = f"{OWN} {number}" if own else str(cell.grade_id)
        if cell.type in ("code", "markdown") and name not in found:
            text = cell.source.replace(BEGIN, "").replace(END, "")
            found[name] = Answer(name, text, cell.type == "code")
    return list(found.values())


def _stubs(cells: Sequence[SubmittedCell]) -> list[SubmittedCell]:
    """The instructor's cells without what stands between the marks of a solution."""
    stubs = []
    for cell in cells:
        kept, inside = [], False
        for line in cell.source.splitlines():
            inside = inside or BEGIN in line
            kept += [] if inside else [line]
            inside = inside and END not in line
        stubs.append(SubmittedCell(cell.type, "\n".join(kept), cell.grade_id))
    return stubs


def _known(cells: Sequence[SubmittedCell]) -> set[str]:
    """Names that the set itself gives to everybody: what its cells define."""
    names: set[str] = set()
    for cell in cells:
        if cell.type == "code":
            names |= solution_facts.defined_names(solution_facts.parse(cell.source))
    return names
