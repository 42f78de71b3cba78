"""Feedback for students: which checks failed and why, never a hidden test's text.

The autograded notebook is the instructor's: it holds the hidden tests and everything
student code printed while they ran. What students get is made from it by leaving
those out, and rendered with nbgrader's own template, by another process.
"""

import ast
import os

import nbformat
from IPython.core.inputtransformer2 import TransformerManager
from nbformat.v4 import new_output
from nbgrader.api import BaseCell, Comment, Grade
from nbgrader.preprocessors import NbGraderPreprocessor
from sqlalchemy import select

from course_tools.atomic import write_file
from course_tools.grading.limits import PAGE_SECONDS
from course_tools.grading.pages.disarm import disarm_cell, disarm_outputs
from course_tools.grading.pages.page_client import Typesetter
from course_tools.grading.pages.short_page import short_page
from course_tools.grading.plan import hidden

NOT_SHOWN = "(Outputs from here on are not shown: hidden checks have run before.)"
NOT_RENDERED = "The notebook could not be shown on this page; the scores are these."
NOT_READ = "This notebook was not handed in, or could not be read."
NOT_MARKED = "not marked yet"


class HideTests(NbGraderPreprocessor):
    """Takes hidden tests, and whatever could tell of them, out of a notebook.

    After the first hidden check, what a page says of a student's cell must not
    depend on what the cell did: already whether it printed could be a message.
    """

    def preprocess(self, nb, resources):
        tainted, marks = False, hidden.marks_of(self.config)
        for cell in nb.cells:
            meta = cell.metadata.get("nbgrader", {})
            words = cell.metadata.pop("grading", {})
            if cell.cell_type != "code":
                if not meta.get("locked"):
                    disarm_cell(cell)
                continue
            disarm_outputs(cell)
            if meta.get("grade") and not meta.get("solution"):
                tainted = tainted or bool(hidden.hidden_lines(cell.source, marks))
                cell.source = hidden.without_hidden(cell.source, marks)
                cell.outputs = _verdict(cell, words)
            elif tainted and cell.source.strip():
                text = _misspelt(cell.source) or NOT_SHOWN
                cell.outputs = [new_output("stream", text=text)]
        return nb, resources


def _misspelt(source):
    """What Python says of a text that never ran: this can tell of no hidden test."""
    try:
        ast.parse(TransformerManager().transform_cell(source))
    except SyntaxError as error:
        return f"{type(error).__name__}: {error.msg} (line {error.lineno})"
    except (ValueError, RecursionError, MemoryError):
        return ""
    return ""


def _verdict(cell, words):
    """The outputs of a test cell as a student sees them: the reason it failed."""
    failed = any(output.output_type == "error" for output in cell.outputs)
    text = words.get("public", "")
    if not failed:
        return [new_output("stream", text=text)] if text else []
    text = text or "a check failed"
    return [new_output("error", ename="", evalue=text, traceback=[text])]


def prepare(path, scores, config=None):
    """Return the student's version of an autograded notebook, with its scores."""
    notebook = nbformat.read(path, as_version=4)
    notebook, _ = HideTests(config=config).preprocess(notebook, {})
    for cell in notebook.cells:
        meta = cell.metadata.get("nbgrader")
        found = scores.get((meta or {}).get("grade_id"))
        if found is not None:
            meta.update(found)
    return notebook


def scores(gradebook, assignment, student, notebook):
    """Return (per cell {score, points, comment}, resources of the notebook)."""
    row = gradebook.find_submission_notebook(notebook, assignment, student)
    cells = {}
    waits = Grade.needs_manual_grade & Grade.manual_score.is_(None)
    for name, score, points, open_ in _of_cells(
        gradebook, Grade, row, Grade.score, Grade.max_score, waits
    ):
        cells.setdefault(name, {}).update(score=score, points=points)
        if open_:
            cells[name]["comment"] = NOT_MARKED
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


def _of_cells(gradebook, table, row, *columns):
    """Return (name of the cell, *columns) for the cells of a submitted notebook."""
    return gradebook.db.execute(
        select(BaseCell.name, *columns)
        .join(BaseCell, table.cell_id == BaseCell.id)
        .where(table.notebook_id == row.id)
    )


class FeedbackWriter:
    """Writes the pages of an assignment where nbgrader expects them."""

    def __init__(self, course, gradebook, assignment, seconds=PAGE_SECONDS):
        self.course = course
        self.gradebook = gradebook
        self.assignment = assignment
        self.marks = hidden.marks_of(course.config)
        found = gradebook.find_assignment(assignment).notebooks
        self.expected = sorted(notebook.name for notebook in found)
        self.typesetter = Typesetter(seconds)

    def write(self, student, reasons=None):
        """Write the pages of one student; return how many.

        `reasons` is {notebook: why it could not be read}: such a notebook gets a
        page, too. Without a reason, a page that is there already is left.
        """
        source = self.course.path("autograded", student, self.assignment)
        target = self.course.path("feedback", student, self.assignment)
        names = os.listdir(source) if os.path.isdir(source) else ()
        graded = {n.removesuffix(".ipynb") for n in names if n.endswith(".ipynb")}
        count, reasons = 0, reasons or {}
        os.makedirs(target, exist_ok=True)
        for name in sorted(graded.union(self.expected)):
            path = os.path.join(target, name + ".html")
            if name in graded and name not in reasons:
                notebook = os.path.join(source, name + ".ipynb")
                page = self._page(student, name, notebook)
            elif name in reasons or not os.path.exists(path):
                page = self._short(student, name, reasons.get(name, NOT_READ))
            else:
                continue
            write_file(path, page, 0o644)
            count += 1
        return count

    def close(self):
        """End the process that makes pages."""
        self.typesetter.close()

    def _page(self, student, name, path):
        found, resources = scores(self.gradebook, self.assignment, student, name)
        told = {"path": os.path.abspath(path), "marks": self.marks, "scores": found}
        page = self.typesetter.page(resources=resources, **told)
        return short_page(NOT_RENDERED, found, resources) if page is None else page

    def _short(self, student, name, reason):
        found, resources = scores(self.gradebook, self.assignment, student, name)
        return short_page(reason, found, resources)
