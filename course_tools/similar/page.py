"""Pairs side by side, on one page that needs no other file and runs nothing."""

import html
from collections.abc import Mapping, Sequence

from course_tools.grading.text import printable
from course_tools.similar.compare import Answer, Pair

CANNOT_KNOW = (
    "This compares texts, and knows nothing else. It cannot tell who wrote first, "
    "whether two worked together as they were allowed to, or whether both took the "
    "same page of a book, a forum or a program that writes code. Short answers are "
    "alike by nature and are left out; who rewrites an answer line by line is not "
    "found. A high figure is a reason to read both, never a finding."
)
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; style-src 'unsafe-inline'" />
<title>{title}</title>
<style>
body {{ font-family: sans-serif; margin: 2em; color: #222; background: #fff; }}
table {{ border-collapse: collapse; width: 100%; table-layout: fixed; }}
td {{ vertical-align: top; padding: 0 0.5em; width: 50%; }}
pre {{ white-space: pre-wrap; overflow-wrap: anywhere; background: #f6f6f6; }}
mark {{ background: #ffe08a; }}
p.note {{ border-left: 6px solid #d2413a; padding-left: 1em; max-width: 45em; }}
</style>
</head>
<body>
<h1>{title}</h1>
<p class="note">{note}</p>
{pairs}
</body>
</html>
"""

Submissions = Mapping[str, Sequence[Answer]]


def page(assignment: str, pairs: Sequence[Pair], submissions: Submissions) -> str:
    """The page; every text on it is escaped, so nothing of a student's comes alive."""
    parts = [_pair(pair, submissions) for pair in pairs]
    return PAGE.format(
        title=html.escape(f"{assignment}: answers that are alike"),
        note=html.escape(CANNOT_KNOW),
        pairs="\n".join(parts) or "<p>No pair is alike beyond the set itself.</p>",
    )


def in_words(pair: Pair) -> str:
    """One line about a pair."""
    names = ", ".join(pair.answers[:3])
    more = len(pair.answers) - 3
    names += f" and {more} more" if more > 0 else ""
    who = printable(f"{pair.one}, {pair.other}")
    return f"{who}: {pair.share:.0%} alike ({pair.shared} pieces) in {names}"


def _pair(pair: Pair, submissions: Submissions) -> str:
    rows = []
    mine = {answer.name: answer.text for answer in submissions[pair.one]}
    theirs = {answer.name: answer.text for answer in submissions[pair.other]}
    together = dict.fromkeys((match.name, match.other) for match in pair.matches)
    for name, other in together:
        here = [m for m in pair.matches if (m.name, m.other) == (name, other)]
        left = _marked(mine[name], [m.lines for m in here])
        right = _marked(theirs[other], [m.other_lines for m in here])
        names = f"<td>{html.escape(name)}</td><td>{html.escape(other)}</td>"
        rows.append(f"<tr>{names}</tr>\n<tr><td>{left}</td><td>{right}</td></tr>")
    head = f"<h2>{html.escape(in_words(pair))}</h2>"
    return f"{head}\n<table>\n" + "\n".join(rows) + "\n</table>"


def _marked(text: str, ranges: Sequence[tuple[int, int]]) -> str:
    """The text with the lines of these ranges marked."""
    marked = {n for first, last in ranges for n in range(first, last + 1)}
    lines = []
    for number, line in enumerate(text.split("\n"), 1):
        safe = html.escape(line)
        lines.append(f"<mark>{safe}</mark>" if number in marked and safe else safe)
    return "<pre>" + "\n".join(lines) + "</pre>"
