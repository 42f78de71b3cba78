"""Feedback for students: which checks failed and why, never a hidden test's text.

The autograded notebook is the instructor's: it holds the hidden tests and everything
student code printed while they ran. What students get is made from it by leaving
those out, and rendered with nbgrader's own template.
"""

import ast
import os

import nbformat
from nbformat.v4 import new_output
from nbgrader.api import BaseCell, Comment, Grade
from nbgrader.preprocessors import NbGraderPreprocessor
from sqlalchemy import select

from course_lib.grading import hidden
from course_lib.grading.atomic import write_file
from course_lib.grading.page import Renderer

NOT_SHOWN = "(Outputs from here on are not shown: hidden checks have run before.)"


class HideTests(NbGraderPreprocessor):
    """Takes hidden tests, and whatever could tell of them, out of a notebook."""

    def preprocess(self, nb, resources):
        tainted, marks = False, hidden.marks_of(self.config)
        for cell in nb.cells:
            meta = cell.metadata.get("nbgrader", {})
            words = cell.metadata.pop("grading", {})
            if cell.cell_type != "code":
                continue
            if meta.get("grade") and not meta.get("solution"):
                tainted = tainted or bool(hidden.hidden_lines(cell.source, marks))
                cell.source = hidden.without_hidden(cell.source, marks)
                cell.outputs = _verdict(cell, words)
            elif tainted and cell.outputs:
                cell.outputs = [new_output("stream", text=_misspelt(cell) or NOT_SHOWN)]
        return nb, resources


def _misspelt(cell):
    """What Python says of a text that never ran: this can tell of no hidden test."""
    try:
        if any("SyntaxError" in str(o.get("traceback")) for o in cell.outputs):
            ast.parse(cell.source)
    except SyntaxError as error:
        return f"{type(error).__name__}: {error.msg} (line {error.lineno})"
    except ValueError:
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
    session, cells = gradebook.db, {}
    for name, score, points in session.execute(
        select(BaseCell.name, Grade.score, Grade.max_score)
        .join(BaseCell, Grade.cell_id == BaseCell.id)
        .where(Grade.notebook_id == row.id)
    ):
        cells.setdefault(name, {}).update(score=score, points=points)
    for name, comment in session.execute(
        select(BaseCell.name, Comment.comment)
        .join(BaseCell, Comment.cell_id == BaseCell.id)
        .where(Comment.notebook_id == row.id)
    ):
        cells.setdefault(name, {}).update(comment=comment)
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


class FeedbackWriter:
    """Writes the pages of an assignment where nbgrader expects them."""

    def __init__(self, course, gradebook, assignment):
        self.course = course
        self.gradebook = gradebook
        self.assignment = assignment
        self.renderer = Renderer()

    def write(self, student):
        """Write the pages of one student; return how many."""
        source = self.course.path("autograded", student, self.assignment)
        target = self.course.path("feedback", student, self.assignment)
        names = [name for name in sorted(os.listdir(source)) if name.endswith(".ipynb")]
        os.makedirs(target, exist_ok=True)
        for name in names:
            bare = name.removesuffix(".ipynb")
            found, resources = scores(self.gradebook, self.assignment, student, bare)
            notebook = prepare(os.path.join(source, name), found, self.course.config)
            text = self.renderer.render(notebook, resources)
            write_file(os.path.join(target, bare + ".html"), text, 0o644)
        return len(names)
