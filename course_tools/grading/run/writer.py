"""Writes graded submissions down: gradebook, notebook, page, and last the record."""

import itertools
import json
import os
from collections.abc import Iterable

from nbformat import NotebookNode
from nbgrader.api import Gradebook
from sqlalchemy.exc import InternalError, OperationalError

from course_tools.atomic import UNFINISHED, write_file
from course_tools.grading.course import exchange
from course_tools.grading.course.course import Course
from course_tools.grading.course.gradebook import Scribe
from course_tools.grading.course.records import Records
from course_tools.grading.messages import Row
from course_tools.grading.pages.feedback import FeedbackWriter
from course_tools.grading.pages.html import disarm_notebook
from course_tools.grading.run.submission import Submission, Task


class Writer:
    """What is written of one assignment, and what of it is there already."""

    def __init__(
        self,
        course: Course,
        gradebook: Gradebook,
        assignment: str,
        task: Task,
        feedback: bool,
    ) -> None:
        self.course = course
        self.gradebook = gradebook
        self.assignment = assignment
        self.task = task
        self.scribe = Scribe(course, gradebook, assignment)
        self.known = set(self.scribe.totals())
        terms, seconds = self.scribe.terms(), task.limits.cell_seconds
        self.records = Records(course, assignment, terms, seconds)
        self.feedback = None
        if feedback:
            self.feedback = FeedbackWriter(course, gradebook, assignment)

    def close(self) -> None:
        if self.feedback is not None:
            self.feedback.close()

    def warm_up(self) -> None:
        """Wait until the first page can be made."""
        if self.feedback is not None and not self.feedback.page_client.ready:
            self.feedback.page_client.wait_until_ready()

    def rest(self) -> None:
        """Hold nothing in the gradebook while there is nothing to do."""
        self.gradebook.db.rollback()

    def row(self, submission: Submission) -> Row | None:
        """Return the row of a submission that is graded already, or None."""
        folder = self._folder("autograded", submission.student)
        if submission.student not in self.known or not os.path.isdir(folder):
            return None
        return self.records.row(submission.student, submission.digest)

    def write(self, submission: Submission) -> Row:
        """Write a graded submission down; return its row."""
        results = {
            name: (submission.notebooks.get(name), submission.questions[name])
            for name in self.task.keys
        }
        student = submission.student
        try:
            score = self.scribe.save(student, results, submission.timestamp)
            self._write_notebooks(submission)
            self._write_feedback(submission)
            row = submission.row(self.task, score)
            self.records.write(student, submission.digest, row)
            self.known.add(student)
        except OSError as error:  # a full disk does not say where it is
            error.filename = error.filename or self._folder("autograded", student)
            raise
        return row

    def _write_notebooks(self, submission: Submission) -> None:
        folder = self._folder("autograded", submission.student)
        os.makedirs(folder, exist_ok=True)
        for name, notebook in submission.notebooks.items():
            disarm_notebook(notebook)
            write_file(os.path.join(folder, name + ".ipynb"), to_json(notebook), 0o444)
        if submission.timestamp is not None:
            text = f"{submission.timestamp.isoformat(' ')} UTC\n"
            write_file(os.path.join(folder, exchange.TIMESTAMP), text, 0o444)
        exchange.keep_secret(submission.folder, folder)

    def _write_feedback(self, submission: Submission) -> None:
        if self.feedback is None:
            return
        try:
            self.feedback.write(submission.student, self._why_unread(submission))
        except Exception as error:
            if is_of_the_machine(error):
                raise
            submission.incidents.append(f"no page of feedback: {type(error).__name__}")

    def _why_unread(self, submission: Submission) -> dict[str, str]:
        """Return {notebook: reason} for those that could not be read."""
        reasons = {}
        for name in self.task.keys:
            if name not in submission.notebooks:
                messages = [item.message for item in submission.questions[name]]
                reasons[name] = messages[0] if messages else "could not be read"
        return reasons

    def remove_leftovers(self, students: Iterable[str]) -> None:
        """A run that was killed while it wrote a file has left it half-written."""
        students = list(students)
        folders = [self.records.folder, *map(self.records.of, students)]
        for student, step in itertools.product(students, ("autograded", "feedback")):
            folders.append(self._folder(step, student))
        for folder in folders:
            for name in os.listdir(folder) if os.path.isdir(folder) else ():
                if name.endswith(UNFINISHED):
                    os.unlink(os.path.join(folder, name))

    def _folder(self, step: str, student: str) -> str:
        return self.course.path(step, student, self.assignment)


def to_json(notebook: NotebookNode) -> str:
    """Return the text of a notebook file; to indent it would take ten times as long."""
    return json.dumps(notebook, ensure_ascii=False) + "\n"


def is_of_the_machine(error: Exception) -> bool:
    """Whether this would happen to the next submission, too."""
    lost = getattr(error, "connection_invalidated", False)
    return lost or isinstance(error, OSError | OperationalError | InternalError)
