"""Outputs of cells, as the student's process reports them, made safe to store."""

from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_output

from course_tools.grading.bridge.shown import MIMES
from course_tools.grading.limits import (
    ERROR_LINES,
    ERROR_NAME_CHARACTERS,
    ERROR_TEXT_CHARACTERS,
    HTML_TOTAL,
    OUTPUTS,
    RICH_CHARACTERS,
    Limits,
)
from course_tools.grading.pages.html import (
    BASE64,
    calm,
    clean_html,
    is_storm,
    open_tags,
)
from course_tools.grading.text import writable

PICTURES = ("image/png", "image/jpeg")
RICH = ("text/html", "text/markdown", "text/latex")


class Room:
    """How much the outputs of a notebook may still take."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.left = limits.outputs_total
        self.steps = HTML_TOTAL

    def clean(self, reported: Any) -> list[NotebookNode]:
        """Return the outputs of one cell, cut where cell or notebook is full."""
        of_cell = self.limits.output <= self.left
        limit = self.limits.output if of_cell else self.left
        kept, left = clean(self._within(reported), limit)
        self.left -= limit - left if left is not None else limit
        if left is None:
            full = self.limits.output if of_cell else self.limits.outputs_total
            where = "cell" if of_cell else "notebook"
            kept.append(_left_out(f"this {where} has more than {full:,} characters"))
        return kept

    def _within(self, reported: Any) -> Any:
        """HTML beyond what the parser may do for one notebook stays a text."""
        for item in reported[:OUTPUTS] if isinstance(reported, list) else ():
            text = _html(item)
            if is_storm(text):  # it will be shown as a text
                continue
            self.steps -= text.count("<") * open_tags(text)
            if text and self.steps < 0:
                item["data"] = {"text/plain": text[:RICH_CHARACTERS]}
        return reported


def clean(reported: Any, limit: int) -> tuple[list[NotebookNode], int | None]:
    """Return (outputs built from checked parts, what is left of `limit`).

    The second is None if something had to be left out.
    """
    kept, left = [], limit
    items = reported if isinstance(reported, list) else []
    for item in items[:OUTPUTS]:
        output = _output(item)
        if output is None:
            continue
        size = max(_size(output), _html_size(item))
        if size > left:
            if output.output_type == "stream":
                output["text"] = output["text"][:left]
                kept.append(output)
            return kept, None
        left -= size
        kept.append(output)
    return kept, left if len(items) <= OUTPUTS else None


def _size(output: NotebookNode) -> int:
    data = output.get("data")
    if data is not None:
        return sum(map(len, data.values()))
    if output.output_type == "stream":
        return len(output["text"])
    return len(output["evalue"]) + sum(map(len, output["traceback"]))


def _html_size(item: dict[str, Any]) -> int:
    """HTML counts as it came: cleaning takes its time however little is left of it."""
    return len(_html(item))


def _html(item: Any) -> str:
    data = item.get("data") if isinstance(item, dict) else None
    text = data.get("text/html") if isinstance(data, dict) else None
    return text if isinstance(text, str) else ""


def _left_out(reason: str) -> NotebookNode:
    return new_output(
        "stream", text=f"\n(The rest of the output is left out: {reason}.)\n"
    )


def _output(item: Any) -> NotebookNode | None:
    if not isinstance(item, dict):
        return None
    kind = item.get("output_type")
    if kind == "stream":
        text = item.get("text")
        if not isinstance(text, str) or not text:
            return None
        name = "stderr" if item.get("name") == "stderr" else "stdout"
        return new_output("stream", name=name, text=calm(writable(text)))
    if kind in ("display_data", "execute_result"):
        return _bundle(kind, item.get("data"))
    if kind == "error":
        return error(item.get("ename"), item.get("evalue"), item.get("traceback"))
    return None


def _bundle(kind: str, data: Any) -> NotebookNode | None:
    if not isinstance(data, dict):
        return None
    texts = {
        mime: writable(data[mime]) for mime in MIMES if isinstance(data.get(mime), str)
    }
    for mime in PICTURES:
        if mime in texts and not BASE64.match(texts[mime]):
            del texts[mime]
    if "text/plain" in texts:
        texts["text/plain"] = calm(texts["text/plain"])
    for mime in RICH:
        if len(texts.get(mime, "")) > RICH_CHARACTERS:
            del texts[mime]
            texts.setdefault("text/plain", f"(too long to be shown: {mime})")
    if "text/html" in texts:
        texts["text/html"] = clean_html(texts["text/html"])
    return new_output(kind, data=texts) if texts else None


def error(name: Any, value: Any, lines: Any) -> NotebookNode:
    """Return an error output."""
    lines = lines if isinstance(lines, list) else []
    return new_output(
        "error",
        ename=writable(str(name))[:ERROR_NAME_CHARACTERS],
        evalue=writable(str(value))[:ERROR_TEXT_CHARACTERS],
        traceback=[
            writable(str(line))[:ERROR_TEXT_CHARACTERS] for line in lines[:ERROR_LINES]
        ],
    )
