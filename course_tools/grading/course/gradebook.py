"""Scores into nbgrader's gradebook, one transaction per submission.

Rows of nbgrader's tables, and its sessions, are `Any` here: they have no types.
"""

import contextlib
import functools
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from nbformat import NotebookNode
from nbgrader import api, dbutil, utils
from nbgrader.api import (
    BaseCell,
    Comment,
    Grade,
    Gradebook,
    InvalidEntry,
    MissingEntry,
    SubmittedAssignment,
    SubmittedNotebook,
    new_uuid,
)
from sqlalchemy import case, event, func, insert, make_url, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from course_tools.errors import CommandError
from course_tools.grading.course.course import Course
from course_tools.grading.course.late_penalty import LatePenalty
from course_tools.grading.limits import GRADEBOOK_WAIT_MILLISECONDS
from course_tools.grading.messages import Question

# by name of the notebook: the notebook, if there is one, and its questions
Graded = Mapping[str, tuple[NotebookNode | None, list[Question]]]


@contextlib.contextmanager
def open_gradebook(course: Course) -> Iterator[Gradebook]:
    """Open the gradebook; what the database refuses becomes one line."""
    try:
        with contextlib.closing(_connect(course)) as gradebook:
            yield gradebook
    except SQLAlchemyError as error:
        reason = str(getattr(error, "orig", error)).split("\n")[0]
        raise CommandError(f"the gradebook cannot be used: {reason}") from error


def _connect(course: Course) -> Gradebook:
    """Waits for other users of an SQLite file."""
    api.get_alembic_version = newest_tables  # its own starts a program to ask
    gradebook = Gradebook(course.db_url, course.course_id)
    if course.db_url.startswith("sqlite"):

        @event.listens_for(gradebook.engine, "connect")
        def prepare(connection: Any, _: Any) -> None:
            connection.execute(f"PRAGMA busy_timeout = {GRADEBOOK_WAIT_MILLISECONDS}")

        gradebook.engine.dispose()
    return gradebook


def newest_tables() -> str:
    """Return the version of nbgrader's tables that a new gradebook is made with."""
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    settings = Config()
    settings.set_main_option("script_location", dbutil.ALEMBIC_DIR)
    return str(ScriptDirectory.from_config(settings).get_current_head())


def missing_file(db_url: str) -> str | None:
    """Return the SQLite file that opening the gradebook would make, or None."""
    address = make_url(db_url)
    if address.get_backend_name() != "sqlite" or not address.database:
        return None
    return None if os.path.exists(address.database) else address.database


@contextlib.contextmanager
def transaction(gradebook: Gradebook) -> Iterator[Any]:
    """Everything inside is committed together or not at all.

    nbgrader's methods commit one by one; inside this block they only flush.
    """
    session = gradebook.db
    session.commit = session.flush
    try:
        yield session
    except BaseException:
        del session.commit
        session.rollback()
        raise
    del session.commit
    try:
        session.commit()
    except BaseException:
        session.rollback()
        raise
    session.expire_all()


@dataclass
class Total:
    """What the gradebook says of a submission, marks by hand included."""

    score: float  # the penalty is taken off already
    penalty: float
    to_mark: int


@dataclass(frozen=True)
class Pattern:
    """What every submission of an assignment has: notebooks and their cells."""

    assignment: str  # as the database numbers it, and so below
    cells: dict[str, tuple[list[str], list[str]]]  # notebook -> graded, commented


class Scribe:
    """Writes the scores of one assignment."""

    def __init__(self, course: Course, gradebook: Gradebook, assignment: str) -> None:
        self.course = course
        self.gradebook = gradebook
        self.assignment = assignment
        self.penalty = LatePenalty(course.config)

    def totals(self) -> dict[str, Total]:
        """Return {student: Total} of all whose submission is in the gradebook."""
        waiting = func.sum(case((Grade.needs_manual_grade, 1), else_=0))
        graded = self._per_student(func.sum(Grade.score), waiting, grades=True)
        late = self._per_student(func.sum(SubmittedNotebook.late_submission_penalty))
        penalties = {student: penalty or 0.0 for student, penalty in late}
        totals = dict.fromkeys(penalties, Total(0.0, 0.0, 0))
        for student, score, to_mark in graded:
            penalty = penalties[student]
            score = max(0.0, (score or 0.0) - penalty)
            totals[student] = Total(score, penalty, int(to_mark))
        return totals

    def _per_student(self, *sums: Any, grades: bool = False) -> Sequence[Any]:
        own = SubmittedNotebook.assignment_id == SubmittedAssignment.id
        query = select(SubmittedAssignment.student_id, *sums).join(
            SubmittedNotebook, own
        )
        if grades:
            query = query.join(Grade, Grade.notebook_id == SubmittedNotebook.id)
        query = query.where(
            SubmittedAssignment.assignment_id == self.pattern.assignment
        )
        query = query.group_by(SubmittedAssignment.student_id)
        return self.gradebook.db.execute(query).all()

    def renew_penalties(self) -> None:
        """Marks given by hand since the last run change what lateness costs."""
        own = SubmittedNotebook.assignment_id == SubmittedAssignment.id
        late = select(SubmittedAssignment, SubmittedNotebook).join(
            SubmittedNotebook, own
        )
        late = late.where(
            SubmittedAssignment.assignment_id == self.pattern.assignment,
            SubmittedNotebook.late_submission_penalty.is_not(None),
        )
        with transaction(self.gradebook) as session:
            for submission, row in session.execute(late).all():
                self.penalty.set_on(row, submission)

    def terms(self) -> str:
        """Return a text for what decides on penalties: due date and rule."""
        due = self.gradebook.find_assignment(self.assignment).duedate
        return f"{due} {self.penalty.rule()}"

    def save(self, student: str, notebooks: Graded, at: datetime | None) -> float:
        """Save what was graded, handed in at this time; return the score.

        Manual scores stay; a question that has one is marked for another look.
        """
        try:
            return self._save(student, notebooks, at)
        except (IntegrityError, InvalidEntry):
            # who grades another set was quicker with a new student
            return self._save(student, notebooks, at)

    def _save(self, student: str, notebooks: Graded, at: datetime | None) -> float:
        with transaction(self.gradebook) as session:
            submission = self._find_or_create(session, student)
            if at:
                submission.timestamp = at
            session.flush()
            total = 0.0
            for row in session.execute(
                select(SubmittedNotebook).where(
                    SubmittedNotebook.assignment_id == submission.id
                )
            ).scalars():
                notebook, questions = notebooks.get(row.name, (None, []))
                total += self._save_notebook(session, row, notebook, questions)
                self.penalty.set_on(row, submission)
            session.flush()
            return total

    def _find_or_create(self, session: Any, student: str) -> Any:
        """Return the student's submission, made at one go if there is none."""
        with contextlib.suppress(MissingEntry):
            return self.gradebook.find_submission(self.assignment, student)
        self.gradebook.update_or_create_student(student)
        fields = {"id": new_uuid(), "student_id": student}
        fields["assignment_id"] = self.pattern.assignment
        session.execute(insert(SubmittedAssignment), [fields])
        for notebook, (graded, commented) in self.pattern.cells.items():
            row = {
                "id": new_uuid(),
                "notebook_id": notebook,
                "assignment_id": fields["id"],
            }
            session.execute(insert(SubmittedNotebook), [row])
            for table, cells in ((Grade, graded), (Comment, commented)):
                rows = [{"cell_id": cell, "notebook_id": row["id"]} for cell in cells]
                if rows:
                    session.execute(insert(table), rows)
        return session.get(SubmittedAssignment, fields["id"])

    @functools.cached_property
    def pattern(self) -> Pattern:
        """What every submission of the assignment has: notebooks and their cells."""
        assignment: Any = self.gradebook.find_assignment(self.assignment)
        cells = {}
        for notebook in assignment.notebooks:
            tasks = [cell.id for cell in notebook.task_cells]
            graded = [cell.id for cell in notebook.grade_cells] + tasks
            commented = [cell.id for cell in notebook.solution_cells] + tasks
            cells[notebook.id] = (graded, commented)
        return Pattern(assignment.id, cells)

    def _save_notebook(
        self,
        session: Any,
        row: Any,
        notebook: NotebookNode | None,
        questions: list[Question],
    ) -> float:
        scores = {question.id: question.score for question in questions}
        answers = _answers(notebook)
        total = 0.0
        grades = session.execute(
            select(Grade.id, BaseCell.name, Grade.manual_score, Grade.extra_credit)
            .join(BaseCell, Grade.cell_id == BaseCell.id)
            .where(Grade.notebook_id == row.id)
        ).all()
        changes = []
        for grade, name, manual, extra in grades:
            auto = scores.get(name)
            if auto is None:
                auto = None if answers.get(name) else 0.0
            look = manual is not None or auto is None
            changes.append(
                {"id": grade, "auto_score": auto, "needs_manual_grade": look}
            )
            total += (auto or 0.0) if manual is None else manual
            total += extra or 0.0
        if changes:
            session.execute(update(Grade), changes)
        self._comments(session, row, answers)
        return total

    def _comments(self, session: Any, row: Any, answers: dict[str, bool]) -> None:
        """An answer cell that was left as it was says so."""
        comments = session.execute(
            select(Comment.id, BaseCell.name)
            .join(BaseCell, Comment.cell_id == BaseCell.id)
            .where(Comment.notebook_id == row.id)
        ).all()
        changes = []
        for comment, name in comments:
            text = None if answers.get(name, True) else "No response."
            changes.append({"id": comment, "auto_comment": text})
        if changes:
            session.execute(update(Comment), changes)


def _answers(notebook: NotebookNode | None) -> dict[str, bool]:
    """Return {answer cell: was anything written?}."""
    if notebook is None:
        return {}
    answers = {}
    for cell in notebook.cells:
        meta = cell.metadata.get("nbgrader", {})
        if meta.get("task"):
            answers[meta["grade_id"]] = True
        elif meta.get("solution"):
            checksum = utils.compute_checksum(cell)
            answers[meta["grade_id"]] = checksum != meta["checksum"]
    return answers
