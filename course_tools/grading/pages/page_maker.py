"""Feedback notebooks as HTML pages that need no other file and run nothing.

Most of a page is the same for every submission of a class: questions, their formulas,
the code of tests. Each of these is made once.
"""

from typing import Any

from nbformat import NotebookNode

from course_tools.grading.pages import frame
from course_tools.grading.pages.cells import Cells
from course_tools.grading.pages.markdown import Texts
from course_tools.grading.pages.student_version import student_version


class Renderer:
    """Turns the student's version of a notebook into a page."""

    def __init__(self) -> None:
        self.texts = Texts()

    def render(
        self,
        notebook: NotebookNode,
        scores: dict[str, dict[str, Any]],
        resources: dict[str, Any],
    ) -> str:
        """Return the page."""
        self.texts.setter.begin_page()
        cells = Cells(self.texts, scores)
        body = "\n".join(map(cells.html, notebook.cells))
        return frame.page(cells.questions, resources, body=body)


def make_page(renderer: Renderer, request: dict[str, Any]) -> bytes:
    """Return the page that was asked for."""
    scores, resources = request["scores"], request["resources"]
    begin, end = request["marks"]
    notebook = student_version(request["path"], scores, (begin, end))
    return renderer.render(notebook, scores, resources).encode("utf-8", "replace")
