"""Cells of a feedback page: the student's own in full, those of the set folded.

Whatever stands here comes from a student or may come from one. Every text is escaped,
every HTML cleaned, and a picture is nothing but letters of base64.
"""

import functools
import html
from collections.abc import Mapping
from typing import Any

from nbconvert.filters import ansi2html, strip_ansi
from nbformat import NotebookNode

from course_tools.coloured import coloured
from course_tools.grading.limits import (
    CODE_CHARACTERS,
    COPIED_CHARACTERS,
    SHARED_PIECES,
)
from course_tools.grading.pages.html import BASE64, clean_html
from course_tools.grading.pages.markdown import PICTURE, WORDLESS, Texts
from course_tools.grading.pages.questions import Question, message_of, question

# of what an output brings, the first is shown
SHOWN = ("text/html", "text/markdown", "text/latex", "image/png", "image/jpeg")


def in_colours(text: str) -> str:
    """nbconvert copies the rest of the text for every change of colour."""
    if text.count("\x1b") * len(text) > COPIED_CHARACTERS:
        text = strip_ansi(text)
    return ansi2html(text)


@functools.lru_cache(SHARED_PIECES)
def _highlighted(source: str) -> str:
    return coloured(source)


def code(source: str) -> str:
    long = len(source) > CODE_CHARACTERS
    made = html.escape(source) if long else _highlighted(source).rstrip("\n")
    return f'<pre tabindex="0">{made}</pre>'


def folded(title: str, body: str) -> str:
    return f"<details><summary>{html.escape(title)}</summary>{body}</details>"


def output(entry: NotebookNode, texts: Texts) -> str:
    """One output of a cell."""
    kind = entry.output_type
    if kind == "stream":
        return _printed(entry.text, "output_stream")
    if kind == "error":
        return _printed("\n".join(entry.traceback), "output_error")
    data = entry.get("data", {})
    mime = next((mime for mime in SHOWN if isinstance(data.get(mime), str)), "")
    if mime.startswith("image/") and BASE64.match(data[mime]):
        letters = "".join(data[mime].split())
        inside = f'<img src="data:{mime};base64,{letters}" alt="{PICTURE}">'
    elif mime == "text/html":
        inside = WORDLESS.sub(r"<td\1></td>", clean_html(data[mime]))
    elif mime == "text/markdown":
        inside = texts.html(data[mime])
    elif mime == "text/latex":
        inside = texts.latex(data[mime])
    elif isinstance(data.get("text/plain"), str):
        return _printed(data["text/plain"], "output_text")
    else:
        return ""
    return f'<div class="output scroll" tabindex="0">{inside}</div>'


def _printed(text: str, kind: str) -> str:
    return (
        f'<div class="output {kind}"><pre tabindex="0">{in_colours(text)}</pre></div>'
    )


def outputs(cell: NotebookNode, texts: Texts) -> str:
    return "\n".join(output(entry, texts) for entry in cell.get("outputs", []))


class Cells:
    """The cells of one page, and the questions among them."""

    def __init__(self, texts: Texts, scores: Mapping[str, dict[str, Any]]) -> None:
        self.texts, self.scores = texts, scores
        self.questions: list[Question] = []

    def html(self, cell: NotebookNode) -> str:
        """One cell as it stands on the page."""
        nbgrader = cell.metadata.get("nbgrader") or {}
        if nbgrader.get("grade") or nbgrader.get("task"):
            return self._graded(cell, nbgrader)
        if nbgrader.get("solution"):
            name = html.escape(str(nbgrader.get("grade_id", "")))
            mark = f'<a id="comment-{name}" name="comment-{name}"></a>'
            heading = f'<span class="nbgrader-label">{mark}Your answer</span>'
            comment = self.scores.get(nbgrader.get("grade_id", ""), {}).get("comment")
            return _panel("answer", heading, self._own(cell), self._said(comment))
        if cell.cell_type == "code" and nbgrader.get("locked"):
            return self._locked(cell, str(nbgrader.get("grade_id", "")))
        return f'<div class="cell">{self._own(cell)}</div>'

    def _own(self, cell: NotebookNode) -> str:
        """A cell in full."""
        if cell.cell_type == "markdown":
            locked = bool(cell.metadata.get("nbgrader", {}).get("locked"))
            attached = cell.get("attachments")
            return self.texts.html(cell.source, attached, locked)
        if cell.cell_type != "code":
            return f'<pre tabindex="0">{html.escape(cell.source)}</pre>'
        source = code(cell.source) if cell.source.strip() else ""
        return f"{source}\n{outputs(cell, self.texts)}"

    def _locked(self, cell: NotebookNode, name: str) -> str:
        """A cell of the set that gives no points; an error in it is not folded."""
        failed = any(entry.output_type == "error" for entry in cell.outputs)
        shown, inside = outputs(cell, self.texts), code(cell.source)
        if not failed:
            shown, inside = "", f"{inside}\n{shown}"
        return (
            f'<div class="cell">{folded(f"Locked cell of the set: {name}", inside)}'
            f"{shown}</div>"
        )

    def _graded(self, cell: NotebookNode, nbgrader: Mapping[str, Any]) -> str:
        name = str(nbgrader.get("grade_id", ""))
        is_test = nbgrader.get("grade") and not nbgrader.get("solution")
        is_test = is_test and cell.cell_type == "code"
        message = message_of(cell) if is_test else ""
        scored = {"points": nbgrader.get("points"), **self.scores.get(name, {})}
        asked = question(name, scored, message)
        self.questions.append(asked)
        escaped = html.escape(name)
        label = "Test" if is_test else "Task" if nbgrader.get("task") else "Your answer"
        heading = (
            f'<span class="nbgrader-label"><a id="{escaped}" name="{escaped}"></a>'
            f'<a id="comment-{escaped}" name="comment-{escaped}"></a>'
            f"{label}: <code>{escaped}</code></span>"
            f'<span class="badge {asked.state}">{asked.word}</span>'
            f'<span class="score">Score: {asked.marks} '
            '<a class="to-top" href="#top">(Top)</a></span>'
        )
        body = self._own(cell)
        if is_test:
            body = outputs(cell, self.texts) + folded("The test", code(cell.source))
        return _panel(asked.state, heading, body, self._said(asked.comment))

    def _said(self, comment: str | None) -> str:
        if not comment:
            return ""
        said = self.texts.html(str(comment))
        return f'<div class="panel-footer"><strong>Comment:</strong> {said}</div>'


def _panel(kind: str, heading: str, body: str, footer: str) -> str:
    return (
        f'<div class="nbgrader_cell {kind}"><div class="panel-heading">{heading}</div>'
        f'<div class="panel-body">{body}</div>{footer}</div>'
    )
