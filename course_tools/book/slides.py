"""A lecture as slides: what one looks at on the slide, what one says in the notes.

A text cell gives its heading, how each paragraph begins, formulas, lists, tables and
boxes; its whole prose goes to the speaker's notes. A figure fills a slide, below the
few lines that lead to it.
Code is folded. Exercises have slides without their solutions.
"""

import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from nbformat import NotebookNode

from course_tools.authoring.rules import PREDICT
from course_tools.book import computed
from course_tools.book.cells import EXPLORE, PageParts, code_block, output
from course_tools.book.markdown import TAG, to_html

ROOM = 11.0  # lines of text that fit under a heading
ABOVE = 4.0  # and above a figure or what was printed
FEW = 170  # characters of a paragraph that stand on a slide, or its first sentence
LINE = 80.0  # characters of one such line
# what may hold a full stop that ends no sentence: formulas, code, links, abbreviations
WHOLE = re.compile(r"\$[^$]+\$|`[^`]+`|\[[^\]]*\]\([^)]*\)|\b(?:e\.g|i\.e|et al)\.")
# a colon ends one only where a formula, a list or a picture follows
SENTENCE = re.compile(r".+?(?:[.?!](?=[\s*”)]|$)[*”)]*|:$)", re.S)
HEADING = re.compile(r"#{1,4} ")
PRE = re.compile(r"<pre[^>]*>(.*?)</pre>", re.S)
SIZE = re.compile(r'<img [^>]*width="(\d+)" height="(\d+)"')
TALL = 1.3  # times as high as wide: too small to read if the whole of it is shown
SOLUTION = re.compile(r"^\s*exercises\.solution", re.M)
TO_DO = re.compile(r"^exercises\.check", re.M)  # prints nothing before an attempt
REFERENCES = re.compile(r"(#+ |\*\*)(References|Further reading|Read more)")
MINUTES = "**Time**"  # to read the page; who speaks sees it in the notes
WIDE, HIGH = 1170, 540  # pixels that code and what is printed may take
LARGE, SMALL = 21, 15  # their letters
LETTER, ROW = 0.61, 1.4  # a letter's width and a line's height, in letters
FITTED = re.compile(r'<pre style="font-size: ([\d.]+)px"')
TEXT_LINE = 39.0  # pixels of a line of text
AROUND = 2.0  # lines: what stands around printed text, and its folded code
FOR_THE_EYE = '<span class="katex-html" aria-hidden="true">'
SPAN = re.compile(r"<(/?)span\b[^>]*>")
# words without a displayed formula that ask for nothing
PROSE = re.compile(r'<p>(?!<strong>Exercise)(?!.*class="display")', re.S)
HIGHER = re.compile(r"\\(sum|prod|int|[dt]?frac|begin)\b")  # than one line


@dataclass
class Slide:
    """One slide."""

    heading: str
    blocks: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    kind: str = "text"
    lines: float = 0.0
    answers: bool = False  # what was to be predicted

    def markup(self) -> str:
        notes = f'<aside class="notes">{in_mathml("".join(self.notes))}</aside>'
        title = f"<h2>{self.heading}</h2>" if self.heading else ""
        body = "\n".join(self.blocks)
        return (
            f'<section class="{self.kind}">{title}\n<div class="body">{body}</div>'
            f"{notes if self.notes else ''}</section>"
        )


def in_mathml(markup: str) -> str:
    """Formulas as browsers set them: the speaker's window has no sheet of KaTeX's."""
    head, *rest = markup.split(FOR_THE_EYE)
    pieces = [head]
    for piece in rest:
        depth = 1
        for tag in SPAN.finditer(piece):
            depth += -1 if tag[1] else 1
            if not depth:
                pieces.append(piece[tag.end() :])
                break
    return "".join(pieces)


def blocks_of(source: str) -> Iterator[str]:
    """Paragraphs, formulas, lists, tables … of a text cell, one by one."""
    block: list[str] = []
    inside = ""  # what must be closed before a block may end
    for line in source.splitlines():
        starts = HEADING.match(line) or line.strip().startswith("$$")
        first = line.startswith(("- ", "1. ")) and not any(map(begins_list, block))
        starts = starts or first
        if not inside and block and (not line.strip() or starts):
            yield "\n".join(block)
            block = []
        if line.strip() or inside:
            block.append(line)
        if inside:
            inside = "" if inside in line else inside
        elif line.strip().startswith("$$") and line.count("$$") == 1:
            inside = "$$"
        elif line.startswith("```"):
            inside = "```"
        elif line.startswith("<details"):
            inside = "</details>"
        if (
            block
            and not inside
            and (HEADING.match(line) or line.rstrip().endswith("$$"))
        ):
            yield "\n".join(block)
            block = []
    if block:
        yield "\n".join(block)


def begins_list(line: str) -> bool:
    return line.startswith(("- ", "* ")) or bool(re.match(r"\d+\. ", line))


def kind_of(block: str) -> str:
    start = block.lstrip()
    if HEADING.match(start):
        return "heading"
    if start.startswith(("$$", r"\begin")):
        return "formula"
    if begins_list(start):
        return "list"
    for mark, kind in (("|", "table"), (">", "box"), ("```", "code"), ("<", "html")):
        if start.startswith(mark):
            return kind
    return "prose"


def beginning(paragraph: str) -> str:
    """The first sentence of a paragraph of Markdown, and the next while it is short."""
    kept: list[str] = []

    def hide(match: re.Match[str]) -> str:
        kept.append(match[0])
        return f"\0{len(kept) - 1}\0"

    sentences = SENTENCE.findall(WHOLE.sub(hide, paragraph)) or [paragraph]
    text = sentences[0]
    for sentence in sentences[1:]:
        if len(text + sentence) > FEW:
            break
        text += sentence
    bold = text.count("**")  # what the cut left open; no star of a formula counts
    text += "**" * (bold % 2) + "*" * (text.replace("**", "").count("*") % 2)
    return re.sub(r"\0(\d+)\0", lambda match: kept[int(match[1])], text)


def lines_of(block: str, kind: str) -> float:
    """About how many lines of a slide a block takes."""
    if kind == "formula":
        return (3.0 if HIGHER.search(block) else 2.0) + 1.5 * block.count(r"\\")
    if kind in ("list", "table"):
        return sum(max(1.1, len(line) / LINE) for line in block.splitlines())
    if kind == "box":
        return 1.5 + len(block) / LINE
    return max(1.2, len(block) / LINE) + 0.4


def in_pieces(block: str, kind: str) -> Iterator[str]:
    """A block; a list that is longer than a slide falls into several."""
    if kind != "list" or lines_of(block, kind) <= ROOM:
        yield block
        return
    piece: list[str] = []
    for line in block.splitlines():
        is_item = kind_of(line) == "list" and line == line.lstrip()
        if is_item and piece and lines_of("\n".join([*piece, line]), kind) > ROOM - 2:
            yield "\n".join(piece)
            piece = []
        piece.append(line)
    yield "\n".join(piece)


def text_slides(source: str, heading: str, page: PageParts) -> tuple[list[Slide], str]:
    """The slides of a text cell, and the heading that holds after it."""
    slides: list[Slide] = []
    room = 0.0
    pieces = (
        p for block in blocks_of(source) for p in in_pieces(block, kind_of(block))
    )
    for block in pieces:
        if REFERENCES.match(block):  # they stand on the page
            break
        kind = kind_of(block)
        if kind == "heading":
            words = HEADING.sub("", block.lstrip(), count=1)
            heading, room = rendered(words, page), ROOM
            first = block.startswith("# ")
            slides.append(Slide(heading, kind="title" if first else "text"))
            continue
        if block.startswith(MINUTES) and slides:
            slides[-1].notes.append(to_html(block, page.anchors, page.link_to))
            continue
        text = beginning(block) if kind == "prose" else block
        need = lines_of(text, kind)
        if not slides or need > room:
            slides.append(Slide(heading))
            room = ROOM
        room -= need
        slides[-1].lines += need
        slides[-1].blocks.append(to_html(text, page.anchors, page.link_to))
        if kind == "prose" and text != block:
            slides[-1].notes.append(to_html(block, page.anchors, page.link_to))
    return [slide for slide in slides if slide.blocks or len(slides) == 1], heading


def rendered(words: str, page: PageParts) -> str:
    """A line of Markdown without the paragraph around it; "1. So" begins no list."""
    words = re.sub(r"^(\d+)\.", r"\1\\.", words)
    return re.sub(r"</?p>", "", to_html(words, page.anchors, page.link_to)).strip()


def code_slides(cell: NotebookNode, heading: str, page: PageParts) -> list[Slide]:
    """A slide for each figure, and one for what is printed; the code is folded."""
    if page.prepares(cell) or SOLUTION.search(cell.source):
        return []
    code = f"<details><summary>Code</summary>{code_block(cell.source)}</details>"
    answers = PREDICT in cell.metadata.get("tags", [])
    slides = []
    if TO_DO.search(cell.source):
        to_do = fitting(code_block(cell.source))
        return [Slide(heading, [to_do], kind="printed", lines=printed_lines(to_do))]
    for entry in cell.get("outputs", []):
        if markup := output(entry, page):
            kind = "picture" if "<figure>" in markup else "printed"
            shown = fitting(scrolling(markup))
            lines = printed_lines(shown)
            slides.append(Slide(heading, [shown, code], [], kind, lines, answers))
    if part := computed.part_of(cell.source):
        slides.append(Slide(heading, [computed.markup(part)], kind="picture"))
    elif EXPLORE.search(cell.source) and page.explorers:
        slides.append(Slide(heading, [page.explorers.pop(0)], kind="picture"))
    if not slides and not EXPLORE.search(cell.source):
        slides.append(Slide(heading, [fitting(code_block(cell.source))], kind="code"))
    return slides


def fitting(markup: str) -> str:
    """Long code and long lines in smaller letters, down to those one can still read."""
    pre = PRE.search(markup)
    rows = html.unescape(TAG.sub("", pre[1])).splitlines() if pre else []
    if not any(rows):
        return markup
    size = min(WIDE / LETTER / max(map(len, rows)), HIGH / ROW / len(rows), LARGE)
    style = f' style="font-size: {max(size, SMALL):.1f}px"'
    return markup.replace("<pre", f"<pre{style}")


def printed_lines(markup: str) -> float:
    """About how many lines of text the place of printed text would hold."""
    pre, size = PRE.search(markup), FITTED.search(markup)
    if not pre or not size:
        return ROOM  # a table, say: nothing else stands beside it
    rows = pre[1].count("\n") + 1
    return AROUND + rows * float(size[1]) * ROW / TEXT_LINE


def scrolling(markup: str) -> str:
    """A figure that is much higher than wide keeps its width and scrolls."""
    size = SIZE.search(markup)
    if size and int(size[2]) > TALL * int(size[1]):
        return markup.replace("<figure>", '<figure class="tall" tabindex="0">')
    return markup


def slides_of(cells: Iterable[NotebookNode], page: PageParts) -> list[Slide]:
    """All slides of a lecture."""
    slides: list[Slide] = []
    heading = ""
    for cell in cells:
        if cell.cell_type == "markdown":
            new, heading = text_slides(cell.source, heading, page)
            slides += new
        elif cell.cell_type == "code":
            new = code_slides(cell, heading, page)
            if new and slides and leads_to(slides[-1], new[0]):
                text = slides.pop()
                new[0].blocks[:0], new[0].notes = text.blocks, text.notes
            slides += new
    return with_comments(slides)


def leads_to(words: Slide, shown: Slide) -> bool:
    """Whether a few lines and what they speak of fit on one slide.

    What is to be predicted and the answer are two.
    """
    if words.kind != "text" or words.heading != shown.heading or shown.answers:
        return False
    if shown.kind == "picture":
        return words.lines <= ABOVE
    return shown.kind == "printed" and words.lines + shown.lines <= ROOM


def with_comments(slides: list[Slide]) -> list[Slide]:
    """Prose that follows what was printed stands below it, where there is room."""
    joined: list[Slide] = []
    for slide in slides:
        if joined and comments_on(slide, joined[-1]):
            shown = joined[-1]
            shown.blocks[-1:-1] = slide.blocks  # above the folded code
            shown.notes += slide.notes
            shown.lines += slide.lines
        else:
            joined.append(slide)
    return joined


def comments_on(words: Slide, shown: Slide) -> bool:
    is_prose = all(PROSE.match(block) for block in words.blocks)
    is_result = shown.kind == "printed" and shown.blocks[-1].startswith("<details>")
    wanted = words.kind == "text" and is_prose and is_result
    fits = words.lines <= ABOVE and words.lines + shown.lines <= ROOM
    return wanted and words.heading == shown.heading and fits
