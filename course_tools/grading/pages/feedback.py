"""Feedback for students: which checks failed and why, never a hidden test's text.

Scores come from the gradebook; pages are made by another process (`page_client`).
A notebook that cannot be shown gets a short page.
"""

import os
from collections.abc import Iterable, Mapping
from typing import Any

from nbgrader.api import BaseCell, Comment, Grade, Gradebook
from sqlalchemy import select

from course_tools.atomic import write_file
from course_tools.grading.course import exchange
from course_tools.grading.course.course import Course
from course_tools.grading.limits import PAGE_SECONDS
from course_tools.grading.pages import frame
from course_tools.grading.pages.page_client import PageClient
from course_tools.grading.pages.questions import question
from course_tools.grading.plan import hidden_tests

NOT_RENDERED = "The notebook could not be shown on this page; the scores are these."
NOT_READ = "This notebook was not handed in, or could not be read."

# per cell its score, points, comment, whether it waits for a person; and the totals
CellScores = dict[str, dict[str, Any]]
Resources = dict[str, Any]


class FeedbackWriter:
    """Writes the pages of an assignment where nbgrader expects them."""

    def __init__(
        self,
        course: Course,
        gradebook: Gradebook,
        assignment: str,
        seconds: float = PAGE_SECONDS,
    ) -> None:
        self.course = course
        self.gradebook = gradebook
        self.assignment = assignment
        self.marks = hidden_tests.marks_of(course.config)
        notebooks = gradebook.find_assignment(assignment).notebooks
        self.expected = sorted(notebook.name for notebook in notebooks)
        self.page_client = PageClient(seconds)
        self.shortened: list[str] = []  # students with a page without their notebook

    def write(self, student: str, reasons: Mapping[str, str] | None = None) -> int:
        """Write the pages of one student; return how many.

        `reasons` is {notebook: why it could not be read}: such a notebook gets a
        page, too. Without a reason, a page that is there already is left.
        """
        source = self.course.path("autograded", student, self.assignment)
        target = self.course.path("feedback", student, self.assignment)
        files = os.listdir(source) if os.path.isdir(source) else ()
        graded = {n.removesuffix(".ipynb") for n in files if n.endswith(".ipynb")}
        count, reasons = 0, reasons or {}
        os.makedirs(target, exist_ok=True)
        for name in sorted(graded.union(self.expected)):
            path = os.path.join(target, name + ".html")
            if name in graded and name not in reasons:
                notebook = os.path.join(source, name + ".ipynb")
                page = self._page(student, name, notebook)
            elif name in reasons or not os.path.exists(path):
                page = self._short_page(student, name, reasons.get(name, NOT_READ))
            else:
                continue
            write_file(path, page, 0o644)
            count += 1
        handed_in = self.course.path("submitted", student, self.assignment)
        exchange.label_pages([source, handed_in], target)
        return count

    def close(self) -> None:
        """End the process that makes pages."""
        self.page_client.close()

    def _page(self, student: str, name: str, path: str) -> str:
        cells, resources = read_scores(self.gradebook, self.assignment, student, name)
        page = self.page_client.page(
            path=os.path.abspath(path),
            marks=self.marks,
            scores=cells,
            resources=resources,
        )
        if page is None:
            self.shortened.append(student)
            return short_page(NOT_RENDERED, cells, resources)
        return page

    def _short_page(self, student: str, name: str, reason: str) -> str:
        cells, resources = read_scores(self.gradebook, self.assignment, student, name)
        return short_page(reason, cells, resources)


def read_scores(
    gradebook: Gradebook, assignment: str, student: str, notebook: str
) -> tuple[CellScores, Resources]:
    """Return the scores of the cells and the resources of one notebook."""
    # nbgrader declares its columns in a way that no type checker understands
    row: Any = gradebook.find_submission_notebook(notebook, assignment, student)
    cells: CellScores = {}
    waits = Grade.needs_manual_grade & Grade.manual_score.is_(None)
    for name, score, points, not_marked in _of_cells(
        gradebook, Grade, row, Grade.score, Grade.max_score, waits
    ):
        cells.setdefault(name, {}).update(score=score, points=points)
        cells[name]["waits"] = bool(not_marked)
    for name, comment in _of_cells(gradebook, Comment, row, Comment.comment):
        if comment or name not in cells:
            cells.setdefault(name, {})["comment"] = comment
    late = row.late_submission_penalty or 0
    resources = {
        "student": student,
        "assignment": assignment,
        "notebook": notebook,
        "score": row.score - late,
        "max_score": row.max_score,
        "late_penalty": late,
    }
    return cells, resources


def _of_cells(
    gradebook: Gradebook,
    table: type[Grade] | type[Comment],
    row: Any,
    *columns: Any,
) -> Iterable[Any]:
    """Return (name of the cell, *columns) for the cells of a submitted notebook."""
    return gradebook.db.execute(
        select(BaseCell.name, *columns)
        .join(BaseCell, table.cell_id == BaseCell.id)
        .where(table.notebook_id == row.id)
    )


def short_page(sentence: str, cells: CellScores, resources: Resources) -> str:
    """Return a page without the notebook: one sentence, and the scores as a table."""
    scored = [question(name, cell) for name, cell in cells.items() if "score" in cell]
    return frame.page(scored, resources, sentence=sentence)
