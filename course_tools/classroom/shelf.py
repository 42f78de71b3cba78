"""The folder submitted/: how a submission gets its place there, and nothing is lost.

Who handed in through a platform, and under which name there, is kept beside the
students' folders in .collected/; what is replaced moves to .replaced/.  Grading passes
over names that begin with a dot.
"""

import json
import os
import shutil
import tempfile
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from course_tools.atomic import write_file
from course_tools.classroom.platforms import Item, Sender
from course_tools.grading.course.course import Course

RECORD, REPLACED = ".collected", ".replaced"
OTHERS = "what is there came from another person of this name; it stays"
THERE = "another version is there, not known to be older; --replace takes this one"


@dataclass(frozen=True)
class Notebook:
    """A notebook in an archive, with the time that is noted there."""

    item: Item
    path: str
    data: bytes
    time: datetime | None

    @property
    def order(self) -> list[float]:
        """The later of two is greater."""
        return [self.item.order, self.time.timestamp() if self.time else 0.0]


Chosen = dict[str, Notebook]  # name in the set -> notebook


@dataclass
class Report:
    """What came of it, for the person."""

    taken: list[str] = field(default_factory=list)
    replaced: list[str] = field(default_factory=list)
    same: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def top_of(course: Course) -> Path:
    """The folder that holds those of the students."""
    return Path(course.path("submitted", "\0", "x").partition("\0")[0])


def read_record(top: Path, assignment: str) -> dict[str, dict]:
    """{student: what the platform calls the student} of a set."""
    try:
        record = json.loads((top / RECORD / f"{assignment}.json").read_text("utf-8"))
        return record if isinstance(record, dict) else {}
    except (OSError, ValueError):
        return {}


class Shelf:
    """The submissions of one set."""

    def __init__(
        self, course: Course, assignment: str, replace: bool, report: Report
    ) -> None:
        self.course = course
        self.assignment = assignment
        self.replace = replace
        self.report = report
        self.top = top_of(course)
        self.record = read_record(self.top, assignment)

    def store(
        self, student: str, sender: Sender, chosen: Chosen, stamp: datetime | None
    ) -> None:
        """Put a submission in its place, unless a newer one may be there."""
        target = Path(self.course.path("submitted", student, self.assignment))
        order = max(one.order for one in chosen.values())
        sure = all(one.item.sure for one in chosen.values())
        if not os.path.lexists(target):
            self._put(target, chosen, stamp)
            self.report.taken.append(student)
        elif holds(target, chosen):
            self.report.same.append(student)
        elif not self.replace and self._is_of_another(student, sender):
            self.report.notes.append(f"{student}: {OTHERS}")
            return
        elif self.replace or (sure and self._is_newer(student, order)):
            self._move_aside(target, student)
            self._put(target, chosen, stamp)
            self.report.replaced.append(student)
        else:
            self.report.notes.append(f"{student}: {THERE}")
            return
        self._remember(student, sender, order)

    def _is_of_another(self, student: str, sender: Sender) -> bool:
        return self.record.get(student, {}).get("number", sender.number) != (
            sender.number
        )

    def _is_newer(self, student: str, order: list[float]) -> bool:
        before = self.record.get(student, {}).get("order")
        return isinstance(before, list) and order > before

    def _put(self, target: Path, chosen: Chosen, stamp: datetime | None) -> None:
        """All files at once."""
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".collecting-", dir=self.top) as place:
            made = Path(place) / "made"
            made.mkdir()
            for name, one in chosen.items():
                (made / f"{name}.ipynb").write_bytes(one.data)
            if stamp:
                line = stamp.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S UTC\n")
                (made / "timestamp.txt").write_text(line)
            os.replace(made, target)

    def _move_aside(self, target: Path, student: str) -> None:
        aside = self.top / REPLACED / student / self.assignment
        aside.mkdir(parents=True, exist_ok=True)
        number = 1
        while os.path.lexists(aside / str(number)):
            number += 1
        shutil.move(target, aside / str(number))

    def _remember(self, student: str, sender: Sender, order: list[float]) -> None:
        self.record[student] = {
            "platform": sender.platform,
            "number": sender.number,
            "name": sender.name,
            "folder": sender.folder,
            "order": order,
        }
        place = self.top / RECORD / f"{self.assignment}.json"
        place.parent.mkdir(parents=True, exist_ok=True)
        write_file(place, json.dumps(self.record, indent=1, sort_keys=True), 0o600)


def holds(target: Path, chosen: Chosen) -> bool:
    """Whether these very notebooks are there already."""
    files = {name: target / f"{name}.ipynb" for name in chosen}
    return all(
        file.is_file() and file.read_bytes() == chosen[name].data
        for name, file in files.items()
    )
