"""HTML of students, written anew from a short list of tags and attributes.

An instructor's browser will show it. Parsers that mend HTML as browsers do take
minutes for some texts of 100,000 characters; here every pattern stops at the next
`<`, so that the time is that of reading the text once.
"""

import html
import re
from collections import Counter

from course_tools.grading.limits import HTML_DEPTH

LISTED = (
    "a abbr b blockquote br code div em h1 h2 h3 h4 h5 h6 hr i li ol p pre small span "
    "strong sub sup table tbody td tfoot th thead tr u ul"
)
TAGS = frozenset(LISTED.split())
EMPTY = ("br", "hr")  # these are never closed
DROPPED = {  # with everything inside
    name: re.compile(rf"</{name}[^>]*+>?", re.IGNORECASE)
    for name in ("script", "style")
}
TAG = re.compile(
    r"""<(?P<end>/?)(?P<name>[a-zA-Z][a-zA-Z0-9:-]*+)"""
    r"""(?P<rest>(?:[^<>"']|"[^"<>]*+"|'[^'<>]*+')*+)>"""
)
REMARK = re.compile(r"<[!?][^<>]*+>")
ATTRIBUTE = re.compile(
    r"""(?<![^\s"'/])(class|colspan|rowspan|title)\s*+=\s*+"""
    r"""("[^"]*+"|'[^']*+'|[^\s"'=`]++)""",
    re.IGNORECASE,
)


def harmless(text):
    """Return HTML without scripts, with every tag closed that it opens."""
    writer, position = Writer(), 0
    while (start := text.find("<", position)) >= 0:
        writer.text(text[position:start])
        position = _element(writer, text, start)
    writer.text(text[position:])
    return writer.finish()


def _element(writer, text, start):
    """Write what begins with the `<` at `start`; return where it ends."""
    if text.startswith("<!--", start):
        end = text.find("-->", start)
        return end + 3 if end >= 0 else len(text)
    remark = REMARK.match(text, start)
    if remark is not None:
        return remark.end()
    tag = TAG.match(text, start)
    if tag is None:
        writer.text("<")
        return start + 1
    name = tag["name"].lower()
    if name in DROPPED and not tag["end"]:
        end = DROPPED[name].search(text, tag.end())
        return end.end() if end else len(text)
    if name in TAGS:
        writer.close(name) if tag["end"] else writer.open(name, tag["rest"])
    return tag.end()


class Writer:
    """Puts the parts together; nothing but listed tags can come out."""

    def __init__(self):
        self.parts = []
        self.stack = []
        self.opened = Counter()

    def text(self, text):
        self.parts.append(_escaped(text))

    def open(self, name, rest):
        if name not in EMPTY:
            if len(self.stack) >= HTML_DEPTH:
                return
            self.stack.append(name)
            self.opened[name] += 1
        given = {key.lower(): value for key, value in ATTRIBUTE.findall(rest)}
        words = [f' {key}="{_value(value)}"' for key, value in given.items()]
        self.parts.append(f"<{name}{''.join(words)}>")

    def close(self, name):
        """Close a tag and what was opened inside; one that is not open is left out."""
        while self.opened[name]:
            last = self.stack.pop()
            self.opened[last] -= 1
            self.parts.append(f"</{last}>")
            if last == name:
                return

    def finish(self):
        self.parts.extend(f"</{name}>" for name in reversed(self.stack))
        # MathJax would make a link of it, with any address
        return "".join(self.parts).replace("\\href", "\\mathrm")


def _escaped(text):
    """Characters are written anew, too: so nothing can be spelt in a hidden way."""
    try:
        return html.escape(html.unescape(text))
    except ValueError:  # the number of a character with thousands of digits
        return html.escape(text)


def _value(text):
    return _escaped(text[1:-1] if text[0] in "\"'" else text)
