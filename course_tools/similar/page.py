"""Pairs side by side, on one page that needs no other file and runs nothing."""

import html
from collections import Counter
from collections.abc import Mapping, Sequence

from course_tools.grading.text import printable
from course_tools.similar.compare import Answer, Pair
from course_tools.similar.fingerprints import CHARACTERS

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

SIDE_BY_SIDE = 40  # answers of a pair that are shown, those with most in common first
PAGE_CHARACTERS = 20_000_000  # of all pairs; of the rest there is a line each
MORE = "… and {} more that share something"
CUT = "\n… (the rest was not compared)"

Submissions = Mapping[str, Sequence[Answer]]


def page(assignment: str, pairs: Sequence[Pair], submissions: Submissions) -> str:
    """The page; every text on it is escaped, so nothing of a student's comes alive."""
    parts, room = [], PAGE_CHARACTERS
    for pair in pairs:
        parts.append(_pair(pair, submissions) if room > 0 else _head(pair))
        room -= len(parts[-1])
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
    together = Counter((match.name, match.other) for match in pair.matches)
    shown = dict(together.most_common(SIDE_BY_SIDE))
    for name, other in filter(shown.__contains__, together):
        here = [m for m in pair.matches if (m.name, m.other) == (name, other)]
        left = _marked(mine[name], [m.lines for m in here])
        right = _marked(theirs[other], [m.other_lines for m in here])
        names = f"<td>{html.escape(name)}</td><td>{html.escape(other)}</td>"
        rows.append(f"<tr>{names}</tr>\n<tr><td>{left}</td><td>{right}</td></tr>")
    left_out = len(together) - SIDE_BY_SIDE
    more = f"<p>{MORE.format(left_out)}</p>" if left_out > 0 else ""
    return f"{_head(pair)}\n<table>\n" + "\n".join(rows) + f"\n</table>{more}"


def _head(pair: Pair) -> str:
    return f"<h2>{html.escape(in_words(pair))}</h2>"


def _marked(text: str, ranges: Sequence[tuple[int, int]]) -> str:
    """The text with the lines of these ranges marked."""
    marked = {n for first, last in ranges for n in range(first, last + 1)}
    lines = []
    if len(text) > CHARACTERS:
        text = text[:CHARACTERS] + CUT
    for number, line in enumerate(text.split("\n"), 1):
        safe = html.escape(line)
        lines.append(f"<mark>{safe}</mark>" if number in marked and safe else safe)
    return "<pre>" + "\n".join(lines) + "</pre>"
