"""Which submissions are done: one small file for each, written last of all.

They lie beside the folders of nbgrader, which copies all of `autograded` to
students: a record quotes messages that only the instructor may see.
"""

import contextlib
import json
import os
from collections.abc import Iterable

from course_tools.atomic import UNFINISHED, write_file
from course_tools.grading.course.course import Course
from course_tools.grading.messages import Record, Row
from course_tools.grading.validate import decode, encode

FOLDER, RECORD = ".grading", "record.json"
# Files of ours that lie beside the students' folders: report.txt, similar.html, drafts.
OWN_ENDINGS = (".txt", ".html", UNFINISHED)
APART = ".students"  # no student's name begins with a dot
STOPPED = ("timeout", "lost")
STOPPED_CELL = "a cell stopped the process"  # begins what is said of such a cell


class Records:
    """The records of one assignment.

    `terms` is a text that stands for what else decides on a score (due date, rule
    for late submissions); `seconds` is the time limit of this run.
    """

    def __init__(
        self, course: Course, assignment: str, terms: str, seconds: float
    ) -> None:
        self.folder = os.path.join(course.folder, FOLDER, assignment)
        self.terms = terms
        self.seconds = seconds

    def of(self, student: str) -> str:
        """Return the folder with the record of one student.

        Who is called like a file of ours would keep it from being written.
        """
        apart = APART if student.endswith(OWN_ENDINGS) else ""
        return os.path.join(self.folder, apart, student)

    def row(self, student: str, digest: str) -> Row | None:
        """Return the row of the report if this very submission is done, or None."""
        try:
            with open(os.path.join(self.of(student), RECORD), encoding="utf-8") as file:
                record = decode(Record, json.load(file))
        except (OSError, ValueError):  # BadMessage is one, too
            return None
        if (record.digest, record.terms) != (digest, self.terms):
            return None
        if was_stopped(record.row) and record.seconds < self.seconds:
            return None  # with more time it may do better
        return record.row

    def write(self, student: str, digest: str, row: Row) -> None:
        record = Record(digest, self.terms, self.seconds, row)
        os.makedirs(self.of(student), exist_ok=True)
        text = json.dumps(encode(record))
        write_file(os.path.join(self.of(student), RECORD), text, 0o600)

    def forget(self, students: Iterable[str]) -> None:
        """Have these graded again, by this run or, if it is stopped, by the next."""
        for student in students:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(os.path.join(self.of(student), RECORD))

    def keep_report(self, text: str) -> str:
        """Keep the report of a run; return where it lies."""
        os.makedirs(self.folder, exist_ok=True)
        path = os.path.join(self.folder, "report.txt")
        write_file(path, text + "\n", 0o600)
        return path


def was_stopped(row: Row) -> bool:
    """Whether a question, or a cell before it, was not run to its end."""
    return any(question.status in STOPPED for question in row.questions) or any(
        incident.startswith(STOPPED_CELL) for incident in row.incidents
    )
