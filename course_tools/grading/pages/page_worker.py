"""Feedback notebooks as HTML pages that need no other file and run nothing.

Most of a page is the same for every submission of a class: questions, their formulas,
the code of tests. Each of these is made once.

Run as a program, this module makes pages for the process that started it (see
`page_client`): a request is a line of JSON, the answer a line of JSON and the page.
"""

import json
import os
import resource
import signal
import sys
from collections.abc import Iterable
from typing import Any, BinaryIO

from nbformat import NotebookNode

from course_tools.grading.limits import PAGE_ERROR_CHARACTERS, PAGE_MEMORY
from course_tools.grading.pages import frame
from course_tools.grading.pages.cells import Cells
from course_tools.grading.pages.markdown import Texts
from course_tools.grading.pages.student_version import student_version
from course_tools.grading.sandbox import linux


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
    notebook = student_version(request["path"], scores, request["marks"])
    return renderer.render(notebook, scores, resources).encode("utf-8", "replace")


def serve(requests: Iterable[bytes], answers: BinaryIO) -> None:
    """Make pages until nobody asks any more."""
    renderer = Renderer()
    _answer(answers, {"ready": True})
    for line in requests:
        try:
            page = make_page(renderer, json.loads(line))
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"[:PAGE_ERROR_CHARACTERS]
            _answer(answers, {"error": reason})
        else:
            _answer(answers, {"size": len(page)}, page)


def _answer(answers: BinaryIO, fields: dict[str, Any], data: bytes = b"") -> None:
    answers.write(json.dumps(fields).encode() + b"\n" + data)
    answers.flush()


def main() -> None:
    """End with the process that asked, however that ends; leave Ctrl-C to it."""
    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_AS, (PAGE_MEMORY, PAGE_MEMORY))
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what libraries print is no answer
    serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
