"""Outputs of cells, as the student's process reports them, made safe to store."""

import bleach
from nbformat.v4 import new_output

KINDS = (
    "text/plain",
    "text/html",
    "text/markdown",
    "text/latex",
    "image/png",
    "image/jpeg",
)
MOST = 200
TAGS = [
    "a",
    "abbr",
    "b",
    "blockquote",
    "br",
    "code",
    "div",
    "em",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "i",
    "li",
    "ol",
    "p",
    "pre",
    "small",
    "span",
    "strong",
    "sub",
    "sup",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "tr",
    "u",
    "ul",
]
ATTRIBUTES = {"*": ["class", "colspan", "rowspan", "title"]}


def clean(reported, limit):
    """Return notebook outputs built from checked parts, at most `limit` characters."""
    if not isinstance(reported, list):
        return []
    kept, size = [], 0
    for item in reported[:MOST]:
        output = _output(item)
        if output is None:
            continue
        size += sum(len(str(value)) for value in output.values())
        if size > limit:
            break
        kept.append(output)
    return kept


def _output(item):
    if not isinstance(item, dict):
        return None
    kind = item.get("output_type")
    if kind == "stream":
        text = item.get("text")
        if not isinstance(text, str) or not text:
            return None
        name = "stderr" if item.get("name") == "stderr" else "stdout"
        return new_output("stream", name=name, text=_plain(text))
    if kind in ("display_data", "execute_result"):
        return _bundle(kind, item.get("data"))
    if kind == "error":
        return error(item.get("ename"), item.get("evalue"), item.get("traceback"))
    return None


def _bundle(kind, data):
    if not isinstance(data, dict):
        return None
    texts = {
        mime: _plain(text)
        for mime, text in data.items()
        if mime in KINDS and isinstance(text, str)
    }
    if "text/html" in texts:
        texts["text/html"] = harmless(texts["text/html"])
    return new_output(kind, data=texts) if texts else None


def error(name, value, lines):
    """Return an error output."""
    lines = lines if isinstance(lines, list) else []
    return new_output(
        "error",
        ename=_plain(str(name))[:200],
        evalue=_plain(str(value))[:10_000],
        traceback=[_plain(str(line))[:10_000] for line in lines[:100]],
    )


def harmless(html):
    """Return HTML without scripts: an instructor's browser will show it."""
    return bleach.clean(html, tags=TAGS, attributes=ATTRIBUTES, strip=True)


def _plain(text):
    return text.encode("utf-8", "replace").decode()
