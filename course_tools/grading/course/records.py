"""Which submissions are done: one small file for each, written last of all.

They lie beside the folders of nbgrader, which copies all of `autograded` to
students: a record quotes messages that only the instructor may see.
"""

import contextlib
import json
import os

from course_tools.atomic import write_file

FOLDER, RECORD = ".grading", "record.json"
STOPPED = ("timeout", "lost")
STOPPED_CELL = "a cell stopped the process"  # how submission.finish puts it


class Records:
    """The records of one assignment.

    `terms` is a text that stands for what else decides on a score (due date, rule
    for late submissions); `seconds` is the time limit of this run.
    """

    def __init__(self, course, assignment, terms, seconds):
        self.folder = os.path.join(course.folder, FOLDER, assignment)
        self.terms = terms
        self.seconds = seconds

    def of(self, student):
        """Return the folder with the record of one student."""
        return os.path.join(self.folder, student)

    def row(self, student, digest):
        """Return the row of the report if this very submission is done, or None."""
        try:
            with open(os.path.join(self.of(student), RECORD), encoding="utf-8") as file:
                record = json.load(file)
        except (OSError, ValueError):
            return None
        if (record.get("digest"), record.get("terms")) != (digest, self.terms):
            return None
        if was_stopped(record["row"]) and record.get("seconds", 0.0) < self.seconds:
            return None  # with more time it may do better
        return record["row"]

    def write(self, student, digest, row):
        record = {"digest": digest, "terms": self.terms, "seconds": self.seconds}
        os.makedirs(self.of(student), exist_ok=True)
        text = json.dumps(dict(record, row=row))
        write_file(os.path.join(self.of(student), RECORD), text, 0o600)

    def forget(self, students):
        """Have these graded again, by this run or, if it is stopped, by the next."""
        for student in students:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(os.path.join(self.of(student), RECORD))

    def keep_report(self, text):
        """Keep the report of a run; return where it lies."""
        os.makedirs(self.folder, exist_ok=True)
        path = os.path.join(self.folder, "report.txt")
        write_file(path, text + "\n", 0o600)
        return path


def was_stopped(row):
    """Whether a question, or a cell before it, was not run to its end."""
    return any(question["status"] in STOPPED for question in row["questions"]) or any(
        incident.startswith(STOPPED_CELL) for incident in row["incidents"]
    )
