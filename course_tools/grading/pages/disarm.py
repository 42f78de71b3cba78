"""Student's text for pages that do not clean what they show, as nbgrader's do.

Tags become visible text: a space after `<` is all it takes, and formulas such as a<b
stay readable. The same is done with characters given by number or name, by which
tags and addresses can be spelt in a hidden way.
"""

import re

from course_tools.grading.pages.html import harmless
from course_tools.grading.pages.outputs import BASE64

# Without attributes these do nothing but fold text: instructors hide hints in them,
# in cells that are not locked.
BARE = r"(?!/?(?:details|summary|br|sub|sup|kbd)>)"
TAG = re.compile(rf"<(?=[A-Za-z/!?]){BARE}")
ENTITY = re.compile(r"&(?=#|\w+;)")
PICTURE = re.compile(r"attachment\\?:([^)\s>\"'\]]*)")
KINDS = ("image/png", "image/jpeg", "image/gif", "image/webp")


def disarm(text):
    """Return text in which nothing is a tag, and no formula is a link."""
    text = ENTITY.sub("& ", TAG.sub("< ", text))
    return text.replace("\\href", "\\mathrm")  # MathJax takes any address for it


def disarm_cell(cell):
    """Disarm a markdown or raw cell with its pictures."""
    pictures = _pictures(cell.get("attachments"))
    if "attachments" in cell:
        del cell["attachments"]
    if pictures:
        cell["attachments"] = pictures

    def reference(match):  # to a missing one: nbconvert would stop
        known = match[1] in pictures
        return match[0] if known else match[0].replace(":", " :")

    cell.source = PICTURE.sub(reference, disarm(cell.source))


def disarm_outputs(cell):
    """Disarm what is shown as something else than text."""
    for output in cell.outputs:
        data = output.get("data", {})
        for kind in ("text/markdown", "text/latex"):
            if isinstance(data.get(kind), str):
                text = disarm(data[kind])
                data[kind] = PICTURE.sub(lambda m: m[0].replace(":", " :"), text)
        if isinstance(data.get("text/html"), str):
            data["text/html"] = harmless(data["text/html"])


def _pictures(attachments):
    """Return the attachments that are nothing but pictures."""
    found = {}
    for name, bundle in (attachments or {}).items():
        bundle = bundle if isinstance(bundle, dict) else {}
        texts = {kind: bundle[kind] for kind in KINDS if kind in bundle}
        kept = {
            kind: data
            for kind, data in texts.items()
            if isinstance(data, str) and BASE64.match(data)
        }
        if kept:
            found[name] = kept
    return found
