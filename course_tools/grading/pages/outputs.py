"""Outputs of cells, as the student's process reports them, made safe to store."""

import re

from nbformat.v4 import new_output

from course_tools.grading.limits import (
    ERROR_LINES,
    ERROR_NAME_CHARACTERS,
    ERROR_TEXT_CHARACTERS,
    OUTPUTS,
    RICH_CHARACTERS,
)
from course_tools.grading.pages.html import harmless
from course_tools.grading.text import writable

TEXTS = ("text/plain", "text/html", "text/markdown", "text/latex")
PICTURES = ("image/png", "image/jpeg")
RICH = ("text/html", "text/markdown", "text/latex")
BASE64 = re.compile(r"[A-Za-z0-9+/=\s]*\Z")


class Room:
    """How much the outputs of a notebook may still take."""

    def __init__(self, limits):
        self.limits = limits
        self.left = limits.outputs_total

    def clean(self, reported):
        """Return the outputs of one cell, cut where cell or notebook is full."""
        of_cell = self.limits.output <= self.left
        limit = self.limits.output if of_cell else self.left
        kept, rest = clean(reported, limit)
        self.left -= limit - rest if rest is not None else limit
        if rest is None:
            full = self.limits.output if of_cell else self.limits.outputs_total
            where = "cell" if of_cell else "notebook"
            kept.append(_left_out(f"this {where} has more than {full:,} characters"))
        return kept


def clean(reported, limit):
    """Return (outputs built from checked parts, what is left of `limit`).

    The second is None if something had to be left out.
    """
    kept, left = [], limit
    items = reported if isinstance(reported, list) else []
    for item in items[:OUTPUTS]:
        output = _output(item)
        if output is None:
            continue
        size = _size(output)
        if size > left:
            if output.output_type == "stream":
                output["text"] = output["text"][:left]
                kept.append(output)
            return kept, None
        left -= size
        kept.append(output)
    return kept, left if len(items) <= OUTPUTS else None


def _size(output):
    data = output.get("data")
    if data is not None:
        return sum(map(len, data.values()))
    if output.output_type == "stream":
        return len(output["text"])
    return len(output["evalue"]) + sum(map(len, output["traceback"]))


def _left_out(reason):
    return new_output(
        "stream", text=f"\n(The rest of the output is left out: {reason}.)\n"
    )


def _output(item):
    if not isinstance(item, dict):
        return None
    kind = item.get("output_type")
    if kind == "stream":
        text = item.get("text")
        if not isinstance(text, str) or not text:
            return None
        name = "stderr" if item.get("name") == "stderr" else "stdout"
        return new_output("stream", name=name, text=writable(text))
    if kind in ("display_data", "execute_result"):
        return _bundle(kind, item.get("data"))
    if kind == "error":
        return error(item.get("ename"), item.get("evalue"), item.get("traceback"))
    return None


def _bundle(kind, data):
    if not isinstance(data, dict):
        return None
    found = {mime: data[mime] for mime in (*TEXTS, *PICTURES) if mime in data}
    texts = {mime: writable(t) for mime, t in found.items() if isinstance(t, str)}
    for mime in PICTURES:
        if mime in texts and not BASE64.match(texts[mime]):
            del texts[mime]
    for mime in RICH:
        if len(texts.get(mime, "")) > RICH_CHARACTERS:
            del texts[mime]
            texts.setdefault("text/plain", f"(too long to be shown: {mime})")
    if "text/html" in texts:
        texts["text/html"] = harmless(texts["text/html"])
    return new_output(kind, data=texts) if texts else None


def error(name, value, lines):
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
