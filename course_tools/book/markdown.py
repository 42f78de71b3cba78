"""Text cells as HTML: nbconvert's Markdown, with formulas set and links mended."""

import html
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from course_tools.katex.formulas import set_formula

TAG = re.compile(r"<[^>]+>")
# KaTeX writes each formula twice: for the eye, and as MathML for screen readers
MATHML = re.compile(r"<math.*?</math>", re.S)
# a heading of a column without a word, empty or a formula alone, is no heading
WORDLESS = re.compile(
    r'<th([^>]*)>(\s*|<span class="katex">(?:(?!</th>).)*</span></span></span>)</th>',
    re.S,
)
# a formula, and what may not be left at the end of a line or begin the next one
SHORT = 24  # letters; more may not fit on the line of a phone
SOURCE = re.compile(r"<annotation[^>]*>([^<]*)<")  # of KaTeX's own
BASE, CLOSED = '<span class="katex-base">', "</span></span>"
BEGIN, END = "\ue000", "\ue001"  # around it, until its neighbours are known
NEIGHBOURS = re.compile(
    rf"([(“\[]*){BEGIN}([^{BEGIN}{END}]*){END}([.,;:!?)”’\]]*(?:-\w+)?)"
)
# boxes that the course uses: a quotation whose first words are bold
BOX = re.compile(r"^\s*<p><strong>(Careful|Predict first|Remember)")


@dataclass
class Heading:
    """A heading of the page: its level, its place on the page, its text."""

    level: int
    anchor: str
    text: str


@dataclass
class Anchors:
    """Places on one page; each gets a name of its own."""

    headings: list[Heading] = field(default_factory=list)
    names: set[str] = field(default_factory=set)

    def add(self, level: int, markup: str) -> str:
        text = plain(markup)
        name = place_name(text)
        anchor, number = name, 2
        while anchor in self.names:
            anchor, number = f"{name}-{number}", number + 1
        self.names.add(anchor)
        self.headings.append(Heading(level, anchor, text))
        return anchor


def place_name(text: str) -> str:
    """A heading as a place on the page; JupyterLab's own spelling gives the same."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "section"


def marked(tex: str) -> str:
    """A formula in a line, for `keep_together`."""
    return f"{BEGIN}{set_formula(tex)}{END}"


def keep_together(markup: str) -> str:
    """A formula on one line with the bracket and the stop beside it.

    Of a long one the last piece: between its pieces the line may end.
    """

    def kept(match: re.Match[str]) -> str:
        before, formula, after = match.groups()
        if not before and not after:
            return formula
        if len("".join(SOURCE.findall(formula))) <= SHORT:
            return f'<span class="whole">{before}{formula}{after}</span>'
        head, base, last = formula.rpartition(BASE)
        last = f'<span class="whole">{base}{last.removesuffix(CLOSED)}{after}</span>'
        return f"{before}{head}{last}{CLOSED}"

    return NEIGHBOURS.sub(kept, markup)


def plain(markup: str) -> str:
    """The words of a piece of HTML."""
    words = TAG.sub("", MATHML.sub("", markup))
    return " ".join(html.unescape(words).split())


class BookRenderer(IPythonRenderer):
    """nbconvert's renderer, with KaTeX and with the course's links and boxes."""

    def __init__(self, anchors: Anchors, link_to: Callable[[str], str]) -> None:
        super().__init__(escape=False, allow_harmful_protocols=False)
        self.anchors, self.link_to = anchors, link_to

    def heading(self, text: str, level: int, **attrs: object) -> str:
        text = keep_together(text)
        anchor = self.anchors.add(level, text)
        label = html.escape(plain(text), quote=True)
        return (
            f'<h{level} id="{anchor}">{text}'
            f'<a class="anchor" href="#{anchor}" aria-label="Link to: {label}">#</a>'
            f"</h{level}>\n"
        )

    def block_math(self, body: str) -> str:
        # a wide formula scrolls in its own box, also by keyboard
        return f'<span class="display" tabindex="0">{set_formula(body, True)}</span>'

    def inline_math(self, body: str) -> str:
        return marked(body)

    def latex_environment(self, name: str, body: str) -> str:
        return self.block_math(rf"\begin{{{name}}}{body}\end{{{name}}}")

    def link(self, text: str, url: str, title: str | None = None) -> str:
        address = self.link_to(url)
        return super().link(text, address, title) if address else text

    def block_quote(self, text: str) -> str:
        box = BOX.match(text)
        if not box:
            return super().block_quote(text)
        kind = box[1].split()[0].lower()
        return f'<div class="box {kind}" role="note">{text}</div>\n'


def to_html(source: str, anchors: Anchors, link_to: Callable[[str], str]) -> str:
    """A text cell as HTML; its headings are added to `anchors`."""
    renderer = BookRenderer(anchors, link_to)
    markup = keep_together(MarkdownWithMath(renderer=renderer).render(source))
    markup = WORDLESS.sub(r"<td\1>\2</td>", markup)
    # wide code and a wide table scroll in their own boxes, also by keyboard
    markup = markup.replace("<pre>", '<pre tabindex="0">')
    markup = markup.replace("<table>", '<div class="scroll" tabindex="0"><table>')
    return markup.replace("</table>", "</table></div>")
