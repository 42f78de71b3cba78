"""Markup by students, made fit for the browser of an instructor.

`clean_html` keeps a short list of tags and attributes; nh3 parses as browsers do and
writes everything anew. `clean_rendered` does so with what markdown has become, and
keeps links to the web and attached pictures. `disarm` is for markdown on its way to
pages that clean nothing, as nbgrader's own do: there, tags become visible text, and
so do links to anything but the web, and pictures that would have to be fetched.
"""

import html
import re
from typing import Any

import nh3
from nbformat import NotebookNode
from pygments.token import STANDARD_TYPES

from course_tools.grading.limits import (
    BEGIN_COST,
    COPIED_CHARACTERS,
    HTML_STEPS,
    MARKUP_COST,
    MARKUP_TOTAL,
    PLAIN_COST,
)

_LISTED = (
    "a abbr b blockquote br code div em h1 h2 h3 h4 h5 h6 hr i li ol p pre small span "
    "strong sub sup table tbody td tfoot th thead tr u ul"
)
LISTED_TAGS = frozenset(_LISTED.split())
LISTED_ATTRIBUTES = frozenset(["colspan", "rowspan", "title"])
# Any other class could be one of the page's own: nbgrader's pages know some by which
# an element covers the window.
CLASSES = {
    "div": {"highlight"},
    "span": {name for name in STANDARD_TYPES.values() if name},
    "table": {"dataframe"},
}
CLEANER = nh3.Cleaner(
    tags=set(LISTED_TAGS),
    clean_content_tags={"script", "style"},
    attributes={"*": set(LISTED_ATTRIBUTES)},
    allowed_classes=CLASSES,
    url_schemes=set(),
    link_rel=None,
)

PICTURE = re.compile(r"data:image/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*\Z")
ADDRESS = re.compile(r"(https?://|mailto:|#)", re.IGNORECASE)


def _attribute(tag: str, name: str, value: str) -> str | None:
    """Return the value of an attribute, or None where it may not stay."""
    if name == "href":
        return value if ADDRESS.match(value) else None
    if name == "src":
        return value if PICTURE.match(value) else None
    return value


RENDERED_TAGS = ("dd", "del", "details", "dl", "dt", "img", "kbd", "s", "summary")
RENDERED = nh3.Cleaner(
    tags={*LISTED_TAGS, *RENDERED_TAGS},
    clean_content_tags={"script", "style"},
    attributes={
        "*": {*LISTED_ATTRIBUTES, "id"},
        "a": {"href"},
        "img": {"src", "alt"},
    },
    allowed_classes=CLASSES,
    url_schemes={"http", "https", "mailto", "data"},
    attribute_filter=_attribute,
    link_rel="noopener noreferrer",
)

# A parser opens these again in every block that follows, with all their attributes;
# without attributes it keeps at most three of each.
_FORMATTING = "a|b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u"
FORMATTING_ATTRIBUTES = re.compile(rf"<({_FORMATTING})[\s/][^<>]*+>", re.IGNORECASE)
ODD_FORMATTING = re.compile(rf"<({_FORMATTING})[\s/]", re.IGNORECASE)
CLOSED_AT_ONCE = re.compile(
    r"""<([a-z][a-z0-9]*+)(?:\s[a-z-]++="[^"<>]*+")*+>[^<>]*+</\1>""", re.IGNORECASE
)
OPENING = re.compile(r"<[a-z]", re.IGNORECASE)

BASE64 = re.compile(r"[A-Za-z0-9+/=\s]*\Z")
PICTURE_TYPES = ("image/png", "image/jpeg", "image/gif", "image/webp")
# Without attributes these do nothing but fold text: instructors hide hints in them,
# in cells that are not locked.
_BARE = r"(?!/?(?:details|summary|br|sub|sup|kbd)>)"
TAG = re.compile(rf"<(?=[A-Za-z/!?]){_BARE}")
ENTITY = re.compile(r"&(?=#|\w+;)")
# a picture that is attached, an address on the web, a place on the page
_ATTACHED = r"attachment:[^\s()<>\[\]\\\"']*"
_WEB = r"https?://[^\s()<>\[\]\\\"']*|#[\w-]*"
IMAGE = re.compile(rf"!\[(?![^\[\]\n]*\]\({_ATTACHED}\))")
LINK = re.compile(rf"\](?=\((?!(?:{_ATTACHED}|{_WEB})\))|:)")
DIAGRAM = re.compile(r"^([ \t>*+-]*(?:`{3,}|~{3,})[ \t]*)mermaid", re.MULTILINE)
COMMAND = re.compile(
    r"\\(?:href|url|style|class|cssId|require|includegraphics|html[A-Za-z]*|"
    r"mmlToken|bbox|data)(?![a-z])"
)
SIGN = re.compile(r"[\[\]!*_`<>(|$\\&~#\n]")
COLOUR = re.compile(r"\x1b(?:\[[^@-~]*+[@-~]?)?")
PICTURE_NAME = re.compile(r"[\w.-]{1,100}\Z")
ATTACHMENT = re.compile(r"attachment\\?:([^)\s>\"'\]]*)")


def clean_html(text: str) -> str:
    """Return HTML without scripts, links or styles, with every tag closed.

    What would keep the parser busy is shown as a text.
    """
    text = FORMATTING_ATTRIBUTES.sub(r"<\1>", text)
    if ODD_FORMATTING.search(text) or is_storm(text):
        return _without_links(as_text(text))
    return _without_links(CLEANER.clean(text))


def _steps(text: str) -> int:
    """Return a bound on the parser's work: for a tag it may look at all open ones."""
    tags = text.count("<")
    few = tags * tags <= HTML_STEPS  # then there is nothing to be found out
    return tags * (tags if few else open_tags(text))


def is_storm(text: str) -> bool:
    """Would the parser be busy with this text for long?"""
    return _steps(text) > HTML_STEPS


def open_tags(text: str) -> int:
    """Return as many tags as may be open at a time, or more; implied ones apart.

    A tag that is closed at once is never open for another. Two rounds leave out the
    rows of a table, too.
    """
    for _ in range(2):
        text = CLOSED_AT_ONCE.sub("", text)
    return len(OPENING.findall(text))


def clean_rendered(text: str) -> str:
    """Return the HTML that markdown has become, without anything alive in it."""
    if is_storm(text):
        return _without_links(as_text(text))
    return _without_links(RENDERED.clean(text))


def disarm_notebook(notebook: NotebookNode) -> None:
    """Disarm what students have written, for pages that clean nothing.

    These also set no limit to the time that a text takes to become HTML.
    """
    room = MARKUP_TOTAL
    for cell in notebook.cells:
        if cell.cell_type == "code":
            room = _slow_outputs_as_text(cell, room)
            disarm_outputs(cell)
        elif not cell.metadata.get("nbgrader", {}).get("locked"):
            disarm_cell(cell)
            if cell.cell_type == "markdown":
                cell.source, room = _within(cell.source, room)


def cost(text: str) -> int:
    """How long a text keeps what renders markdown, in signs of markdown."""
    signs = len(SIGN.findall(text)) + len(text) // PLAIN_COST
    return signs + BEGIN_COST * text.count("\\begin")


def _within(text: str, room: int) -> tuple[str, int]:
    """Return the text, as a block of code if it is too costly, and the room left."""
    needed = cost(text)
    if needed <= min(room, MARKUP_COST):
        return text, room - needed
    return "    " + text.replace("\n", "\n    "), room


def _slow_outputs_as_text(cell: NotebookNode, room: int) -> int:
    for output in cell.outputs:
        data = output.get("data", {})
        if isinstance(data.get("text/markdown"), str):
            data["text/markdown"], room = _within(data["text/markdown"], room)
    return room


def calm(text: str) -> str:
    """Without its colours where these are so many that nbconvert would copy for hours.

    It copies the rest of the text at every change of colour.
    """
    if text.count("\x1b") * len(text) > COPIED_CHARACTERS:
        return COLOUR.sub("", text)
    return text


def as_text(source: str) -> str:
    """Return HTML that shows `source` letter by letter."""
    return f"<pre>{html.escape(source)}</pre>"


def _without_links(text: str) -> str:
    """MathJax makes links and styles of these, with any address."""
    return COMMAND.sub(r"\\mathrm", text)


def disarm(text: str) -> str:
    """Return markdown in which nothing is a tag, and no formula is a link.

    A space after `<` is all it takes, and formulas such as a<b stay readable. The
    same is done with characters given by number or name, by which tags and addresses
    can be spelt in a hidden way, and between the halves of a link that leads
    elsewhere than to the web.
    """
    text = DIAGRAM.sub(r"\1text", ENTITY.sub("& ", TAG.sub("< ", text)))
    return _without_links(LINK.sub("] ", IMAGE.sub("! [", text)))


def disarm_cell(cell: NotebookNode) -> None:
    """Disarm a markdown or raw cell with its pictures."""
    pictures = _pictures(cell.get("attachments"))
    if "attachments" in cell:
        del cell["attachments"]
    if pictures:
        cell["attachments"] = pictures

    def without_missing(match: re.Match[str]) -> str:
        return match[0] if match[1] in pictures else _no_attachment(match)

    cell.source = ATTACHMENT.sub(without_missing, disarm(cell.source))


def disarm_outputs(cell: NotebookNode) -> None:
    """Disarm what is shown as something else than text."""
    for output in cell.outputs:
        data = output.get("data", {})
        for mime in ("text/markdown", "text/latex"):
            if isinstance(data.get(mime), str):
                data[mime] = ATTACHMENT.sub(_no_attachment, disarm(data[mime]))
        if isinstance(data.get("text/html"), str):
            data["text/html"] = clean_html(data["text/html"])


def _no_attachment(match: re.Match[str]) -> str:
    """nbconvert would stop at a picture that is missing."""
    return match[0].replace(":", " :")


def _pictures(attachments: dict[str, Any] | None) -> dict[str, dict[str, str]]:
    """Return the attachments that are nothing but pictures."""
    pictures = {}
    for name, bundle in (attachments or {}).items():
        bundle = bundle if isinstance(bundle, dict) else {}
        kept = {
            mime: bundle[mime]
            for mime in PICTURE_TYPES
            if isinstance(bundle.get(mime), str) and BASE64.match(bundle[mime])
        }
        if kept and PICTURE_NAME.match(name):
            pictures[name] = kept
    return pictures
