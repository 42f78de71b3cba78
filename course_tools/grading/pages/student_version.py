"""The student's version of an autograded notebook: no hidden test, no trace of one.

The autograded notebook is the instructor's: it holds the hidden tests and everything
student code printed while they ran. These are left out here.
"""

import ast
from typing import Any

import nbformat
from IPython.core.inputtransformer2 import TransformerManager
from nbformat import NotebookNode
from nbformat.v4 import new_output

from course_tools.grading.pages.html import disarm_cell, disarm_outputs
from course_tools.grading.plan import hidden_tests
from course_tools.grading.plan.hidden_tests import Marks

NOT_SHOWN = "(Outputs from here on are not shown: hidden checks have run before.)"


def hide_tests(notebook: NotebookNode, marks: Marks) -> None:
    """Take hidden tests, and whatever could tell of them, out of a notebook.

    After the first hidden check, what a page says of a student's cell must not
    depend on what the cell did: already whether it printed could be a message.
    """
    hidden_ran = False
    for cell in notebook.cells:
        nbgrader = cell.metadata.get("nbgrader", {})
        grading = cell.metadata.pop("grading", {})
        if cell.cell_type != "code":
            if not nbgrader.get("locked"):
                disarm_cell(cell)
            continue
        disarm_outputs(cell)
        if nbgrader.get("grade") and not nbgrader.get("solution"):
            hidden_ran |= bool(hidden_tests.hidden_lines(cell.source, marks))
            cell.source = hidden_tests.without_hidden(cell.source, marks)
            cell.outputs = _verdict(cell, grading.get("public", ""))
        elif hidden_ran and cell.source.strip():
            text = _syntax_error(cell.source) or NOT_SHOWN
            cell.outputs = [new_output("stream", text=text)]


def _syntax_error(source: str) -> str:
    """What Python says of a text that never ran: this can tell of no hidden test."""
    try:
        ast.parse(TransformerManager().transform_cell(source))
    except SyntaxError as error:
        return f"{type(error).__name__}: {error.msg} (line {error.lineno})"
    except (ValueError, RecursionError, MemoryError):
        return ""
    return ""


def _verdict(cell: NotebookNode, message: str) -> list[NotebookNode]:
    """The outputs of a test cell as a student sees them: the reason it failed."""
    failed = any(output.output_type == "error" for output in cell.outputs)
    if not failed:
        return [new_output("stream", text=message)] if message else []
    message = message or "a check failed"
    return [new_output("error", ename="", evalue=message, traceback=[message])]


def student_version(
    path: str, scores: dict[str, dict[str, Any]], marks: Marks
) -> NotebookNode:
    """Return the student's version of the notebook at `path`, with its scores.

    `marks` are those around hidden tests, `scores` belong to the cells by name.
    """
    notebook = nbformat.read(path, as_version=4)
    hide_tests(notebook, marks)
    for cell in notebook.cells:
        nbgrader = cell.metadata.get("nbgrader") or {}
        nbgrader.update(scores.get(nbgrader.get("grade_id", ""), {}))
    return notebook
