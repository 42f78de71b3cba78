"""Cells of a notebook as HTML: code in colours, outputs, pictures, folded answers."""

import base64
import hashlib
import html
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from nbformat import NotebookNode

from course_lib.check import PREDICTED
from course_tools.authoring.rules import PREDICT
from course_tools.book import computed
from course_tools.book.markdown import (
    WORDLESS,
    Anchors,
    keep_together,
    marked,
    to_html,
)
from course_tools.coloured import coloured

# an interactive part; `play` walks through the steps of a drawn mechanism
EXPLORE = re.compile(r"^(explore|play)\(", re.M)
HREF = re.compile(r'href="([^"]*)"')
FORMULA = re.compile(r"(?<![\\$])\$([^$]+)\$")
# the first cell, if it only prepares: imports, seeds, defaults
SETUP = re.compile(r"^(import|from) ")
# it unfolds a solution, which stands below it
SOLUTION = re.compile(r"exercises\.solution\(\d+\)")


@dataclass
class PageParts:
    """What is collected while the cells of one page are written."""

    chapter: str
    folder: Path  # of the book: pictures go to figures/ below it
    link_to: Callable[[str], str]
    explorers: list[str] = field(default_factory=list)  # interactive parts, as HTML
    anchors: Anchors = field(default_factory=Anchors)
    begun: bool = False  # a code cell has been met

    def prepares(self, cell: NotebookNode) -> bool:
        """Whether a code cell only prepares; asked of each, in their order."""
        first, self.begun = not self.begun, True
        return first and bool(SETUP.match(cell.source))


def code_block(source: str) -> str:
    return (
        '<div class="source"><button type="button" class="copy">Copy</button>'
        f'<pre tabindex="0"><code>{coloured(source)}</code></pre></div>'
    )


def picture(data: str, alt: str, page: PageParts) -> str:
    """A stored PNG, written beside the page; its size is known before it is loaded."""
    raw = base64.b64decode(data)
    name = f"figures/{page.chapter}-{hashlib.sha256(raw).hexdigest()[:10]}.png"
    path = page.folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(raw)
    width, height = (int.from_bytes(raw[at : at + 4], "big") for at in (16, 20))
    return (
        f'<figure><img src="{name}" alt="{html.escape(alt, quote=True)}" '
        f'width="{width}" height="{height}" loading="lazy"></figure>'
    )


def output(entry: NotebookNode, page: PageParts) -> str:
    """One stored output."""
    if entry.output_type == "stream":
        return text_output(entry.text)
    data = entry.get("data", {})
    if "image/png" in data:
        alt = entry.metadata.get("image/png", {}).get("alt", "A figure.")
        return picture(data["image/png"], alt, page)
    if "text/markdown" in data:
        return to_html(data["text/markdown"], page.anchors, page.link_to)
    if "text/html" in data:
        markup = own_html(data["text/html"], page)
        return f'<div class="scroll" tabindex="0">{markup}</div>'
    if "text/plain" in data:
        return text_output(data["text/plain"])
    return ""


def own_html(markup: str, page: PageParts) -> str:
    """HTML that a lecture has made: its formulas set, its links mended."""
    linked = HREF.sub(lambda m: f'href="{page.link_to(m[1])}"', markup)
    linked = WORDLESS.sub(r"<td\1>\2</td>", linked)
    return keep_together(FORMULA.sub(lambda m: marked(html.unescape(m[1])), linked))


def text_output(text: str) -> str:
    if text.startswith(PREDICTED):
        text = text.partition("\n")[2]
    if not text.strip():
        return ""
    return f'<pre class="output" tabindex="0">{html.escape(text.rstrip())}</pre>'


def fold(title: str, markup: str) -> str:
    return f"<details><summary>{title}</summary>{markup}</details>"


def folded_title(cell: NotebookNode) -> str:
    """Of a cell that need not be read first: a test, or one hidden in JupyterLab."""
    graded = cell.metadata.get("nbgrader", {})
    if graded.get("grade") and not graded.get("solution"):
        return f"The tests of <code>{html.escape(graded['grade_id'])}</code>"
    if cell.metadata.get("jupyter", {}).get("source_hidden"):
        return "The code of this cell"
    return ""


def code_cell(cell: NotebookNode, page: PageParts) -> str:
    """Source and outputs; what answers a "Predict first" is folded."""
    outputs = "\n".join(output(entry, page) for entry in cell.get("outputs", []))
    if PREDICT in cell.metadata.get("tags", []) and outputs.strip():
        outputs = (
            '<details class="answer"><summary>Show what comes out</summary>'
            f"{outputs}</details>"
        )
    source = code_block(cell.source) if cell.source.strip() else ""
    prepares = page.prepares(cell)
    if part := computed.part_of(cell.source):
        if EXPLORE.search(cell.source):
            source = fold("The code of this part", source)
        outputs += computed.markup(part)
    elif prepares:
        source = fold("What this page imports", source)
    elif EXPLORE.search(cell.source):
        source = fold("The code of this part", source)
        outputs += page.explorers.pop(0) if page.explorers else ""
    elif SOLUTION.fullmatch(cell.source.strip()) and outputs:
        source = ""
    elif title := folded_title(cell):
        source = fold(title, source)
    return f'<div class="cell">{source}\n{outputs}</div>'


def cell_html(cell: NotebookNode, page: PageParts) -> str:
    if cell.cell_type == "markdown":
        words = to_html(cell.source, page.anchors, page.link_to)
        return f'<div class="text" id="cell-{html.escape(cell.id)}">{words}</div>'
    if cell.cell_type == "code":
        return code_cell(cell, page)
    return ""
