"""`./course collect`: what a platform packed up, put where grading looks for it.

An archive may hold anything.  Of each student the newest notebook of the set is taken,
by its name or by the questions in it; whatever is odd, left out or already there gets a
line.  Nothing that was collected before is lost: what is replaced moves aside.
"""

import re
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from course_tools.classroom import platforms
from course_tools.classroom.archive import (
    FILE_BYTES,
    Archive,
    Refused,
    Room,
    shown,
    within,
)
from course_tools.classroom.platforms import Item, Roster, Sender
from course_tools.classroom.shelf import REPLACED, Notebook, Report, Shelf
from course_tools.errors import CommandError
from course_tools.grading.course.course import Course
from course_tools.grading.course.gradebook import missing_file, open_gradebook
from course_tools.grading.limits import NOTEBOOK_BYTES
from course_tools.grading.plan import rebuild

# Browsers and Windows put another ending behind the right one.
ENDING = re.compile(r"\.ipynb(?:\.txt|\.json)?\s*$", re.IGNORECASE)
# How systems rename a second file. Each part is read in one way only: a student's
# name of forty digits could otherwise be read in more ways than there is time for.
COPY = r"(?:[-_ ]*+(?:\(\d++\)|\d++|copy))*+"
LINES = 10  # of one kind about one student
Wanted = dict[str, set[str]]  # notebook of the set -> ids of its questions


def collect(
    course: Course, file: Path, word: str | None, roster: Roster | None, replace: bool
) -> str:
    """Bring the submissions in an archive to submitted/; return what to tell."""
    archive, report = Archive(file), Report()
    report.notes += archive.problems
    found: dict[Sender, list[Notebook]] = {}
    for notebook in notebooks(archive, report):
        found.setdefault(notebook.item.sender, []).append(notebook)
    report.notes += [f"{who}: handed in no notebook" for who in without(archive, found)]
    if not found:
        line = f"{file} holds no notebooks named as Moodle or Canvas name them"
        raise CommandError("; ".join([line, *report.notes[:3]]))
    name = course.full_name(word) if word else likely_set(course, found)
    wanted = questions_of(course, name)
    due = due_date(course, name)
    shelf = Shelf(course, name, replace, report)
    ids = students_of(found, roster, report)
    for sender, own in found.items():
        if chosen := choose(sender, own, wanted, report):
            student = ids[sender]
            shelf.store(student, sender, chosen, stamp_of(sender, chosen, due))
            if sender.late and not due:
                line = "LATE for Canvas, but the gradebook has no due date of"
                report.notes.append(f"{student}: {line} {name}")
    return text_of(name, report)


# ---- reading ----


def notebooks(archive: Archive, report: Report) -> Iterator[Notebook]:
    """All notebooks, also those that a student has packed into a zip file."""
    rooms: dict[Sender, Room] = defaultdict(Room)
    for entry in archive.entries:
        item = platforms.read_name(entry)
        if platforms.is_junk(entry):
            continue
        if item is None:
            typed = "typed into the platform, no file; left out"
            why = typed if platforms.typed_by(entry) else "no name of Moodle or Canvas"
            report.notes.append(f"{shown(entry)}: {why}")
            continue
        room = rooms[item.sender]
        try:
            if is_notebook(entry):
                data = archive.read(entry, room, NOTEBOOK_BYTES)
                time = time_of(archive.entries[entry], item)
                yield Notebook(item, item.path, data, time)
            elif entry.lower().endswith(".zip"):
                yield from packed(archive, item, room, report)
            else:
                report.notes.append(f"{shown(entry)}: left out, no notebook")
        except Refused as error:
            report.notes.append(f"{shown(entry)}: {error}")


def without(archive: Archive, found: Iterable[Sender]) -> list[str]:
    """Who handed in something, but no notebook that can be read."""
    names = [*archive.entries, *archive.refused]
    items = filter(None, map(platforms.read_name, names))
    senders = [item.sender for item in items]
    senders += filter(None, map(platforms.typed_by, names))
    without = [sender for sender in dict.fromkeys(senders) if sender not in {*found}]
    return [shown(sender.name or sender.number) for sender in without]


def is_notebook(path: str) -> bool:
    return stem_of(path) is not None


def stem_of(path: str) -> str | None:
    """The name of a notebook without its ending, or None for another file."""
    name = path.rpartition("/")[2]
    ending = ENDING.search(name)
    return name[: ending.start()] if ending else None


def packed(
    archive: Archive, item: Item, room: Room, report: Report
) -> Iterator[Notebook]:
    """The notebooks in a zip file within the archive; no deeper."""
    inner = within(archive.read(item.entry, Room(FILE_BYTES)))
    report.notes += [f"{shown(item.entry)}: {line}" for line in few(inner.problems)]
    for name in inner.entries:
        if is_notebook(name) and not platforms.is_junk(name):
            data = inner.read(name, room, NOTEBOOK_BYTES)
            time = time_of(archive.entries[item.entry], item)
            yield Notebook(item, name, data, time)


def few(lines: list[str]) -> list[str]:
    """What is to be read of one student: a zip file may have thousands of files."""
    more = len(lines) - LINES
    return [*lines[:LINES], f"… and {more} more of this kind"] if more > 0 else lines


def time_of(info: zipfile.ZipInfo, item: Item) -> datetime | None:
    """When a file was handed in, as Moodle notes it in its archive, in local time.

    Canvas notes when the archive was made: its files have their mark LATE instead.
    """
    try:
        time = datetime(*info.date_time).astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return time if info.date_time[0] > 1980 else None


def ids_in(data: bytes) -> set[str]:
    """The ids that nbgrader has given to cells of a notebook."""
    try:
        return {cell.grade_id for cell in rebuild.parse(data) if cell.grade_id}
    except rebuild.Unreadable:
        return set()


def questions_of(course: Course, name: str) -> Wanted:
    """{notebook: ids of its cells} of a set."""
    folders = [course.source(name), course.path("release", ".", name)]
    for folder in map(Path, folders):
        files = sorted(folder.glob("*.ipynb"))
        if files:
            return {file.stem: ids_in(file.read_bytes()) for file in files}
    raise CommandError(f"there is no set {name} in {course.folder}", code=2)


def likely_set(course: Course, found: dict[Sender, list[Notebook]]) -> str:
    """The set to which most of the notebooks belong."""
    votes: Counter[str] = Counter()
    sets = {name: questions_of(course, name) for name in course.assignments()}
    for notebook in (one for own in found.values() for one in own):
        ids = ids_in(notebook.data)
        for name, wanted in sets.items():
            votes[name] += any(fits(notebook, ids, n, wanted[n]) for n in wanted)
    best = votes.most_common(2)
    if not best or not best[0][1] or (len(best) > 1 and best[0][1] == best[1][1]):
        raise CommandError("which set is it? ./course collect FILE.zip SET", code=2)
    return best[0][0]


# ---- choosing ----


def fits(notebook: Notebook, ids: set[str], name: str, wanted: set[str]) -> int:
    """2: it has the name; 1: it has the questions; 0: it has neither."""
    stem = stem_of(notebook.path) or ""
    if re.fullmatch(re.escape(name) + COPY, stem, re.IGNORECASE):
        return 2
    return int(bool(wanted) and len(ids & wanted) * 2 >= len(wanted))


def choose(
    sender: Sender, own: list[Notebook], wanted: Wanted, report: Report
) -> dict[str, Notebook]:
    """{name in the set: notebook}, the newest of each."""
    chosen: dict[str, Notebook] = {}
    who, left = shown(sender.name or sender.number), list(own)
    ids = {id(one): ids_in(one.data) for one in own}
    for name, questions in wanted.items():
        ranks = [(one, fits(one, ids[id(one)], name, questions)) for one in left]
        fitting = [(one, rank) for one, rank in ranks if rank]
        if not fitting and len(wanted) == len(left) == 1 and not ids[id(left[0])]:
            fitting = [(left[0], 1)]  # it cannot be told, but there is no other
        if fitting:
            best = max(fitting, key=lambda p: (p[0].item.sure, p[0].order, p[1]))[0]
            chosen[name] = best
            left = [one for one in left if one is not best]
            note_path(who, name, best, report)
    why = "another one is newer or fits better" if chosen else "not of this set"
    lines = [f"{shown(one.path)} left out, {why}" for one in left]
    report.notes += [f"{who}: {line}" for line in few(lines)]
    return chosen


def note_path(who: str, name: str, best: Notebook, report: Report) -> None:
    if not best.item.sure:
        line = "whose it is can be read in two ways; look at it"
        report.notes.append(f"{shown(best.item.entry)}: {line}")
    if best.path != f"{name}.ipynb":
        report.notes.append(f"{who}: {shown(best.path)} was taken as {name}.ipynb")


def students_of(
    senders: Iterable[Sender], roster: Roster | None, report: Report
) -> dict[Sender, str]:
    """{sender: id}; of two who would be one student only a known number tells.

    A platform lets people choose their names, and a roster may know no numbers.
    """
    known = roster.by_number if roster else {}
    ids = {sender: student_of(sender, roster, report) for sender in senders}
    numbers: dict[str, set[str]] = defaultdict(set)
    for sender, student in ids.items():
        numbers[student].add(sender.number)
    for sender, student in list(ids.items()):
        if len(numbers[student]) > 1 and sender.number not in known:
            ids[sender] = platforms.plain_id(sender)
            line = f"{shown(sender.name)}: two have this name; taken as {ids[sender]}"
            report.notes.append(line)
    return ids


def student_of(sender: Sender, roster: Roster | None, report: Report) -> str:
    """The id of a student: from the roster, or made of name and number."""
    known = roster.find(sender) if roster else None
    if roster and known is None:
        who = shown(sender.name or sender.number)
        line = f"{who}: not in the roster, or more than once; taken as"
        report.notes.append(f"{line} {platforms.plain_id(sender)}")
    return known or platforms.plain_id(sender)


# ---- time ----


def due_date(course: Course, name: str) -> datetime | None:
    """When the set is due, if the gradebook knows."""
    if missing_file(course.db_url):
        return None
    with open_gradebook(course) as gradebook:
        rows: Any = gradebook.assignments  # nbgrader's tables have no types
        due = {row.name: row.duedate for row in rows}.get(name)
    return due.replace(tzinfo=UTC) if due else None


def stamp_of(
    sender: Sender, chosen: dict[str, Notebook], due: datetime | None
) -> datetime | None:
    """When it was handed in; what Canvas says about lateness counts."""
    times = [one.time for one in chosen.values() if one.time]
    latest = max(times, default=None)
    if sender.platform == "canvas" and due:
        return due + timedelta(seconds=1) if sender.late else min(latest or due, due)
    return latest


def text_of(name: str, report: Report) -> str:
    """What happened, in a few lines."""
    lines = [f"{name}: {len(report.taken)} collected"]
    if report.replaced:
        aside = f"the earlier ones are in submitted/{REPLACED}/"
        lines[0] += f", {len(report.replaced)} replaced ({aside})"
    if report.same:
        lines[0] += f", {len(report.same)} already there"
    if report.notes:
        lines.append(f"look at ({len(report.notes)}):")
        lines += [f"  {note}" for note in dict.fromkeys(report.notes)]
    return "\n".join(lines)
