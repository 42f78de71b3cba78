"""Tables and the picture of the ledger (notebook A_ledger)."""

import html
import re

import numpy as np
from IPython.display import HTML
from matplotlib.figure import Figure

from course_lib.errata import SORTS, Entry, ledger, settle
from course_lib.show.plots import GREEN, ORANGE, PURPLE, SKY, YELLOW, figure

COLOURS = dict(zip(SORTS, (ORANGE, YELLOW, PURPLE, SKY, GREEN), strict=True))
COLUMNS = {
    "": 6,
    "often printed": 30,
    "what is right": 30,
    "evidence, computed now": 34,
}
LEFT = "text-align:left;vertical-align:top"


def settled(lecture: str) -> HTML:
    """The entries of one lecture, each with the evidence of its check, run now."""
    return table(ledger(lecture))


def find(word: str) -> HTML:
    """Every entry that has the word in its title, in either form or in its check."""
    wanted = word.lower()
    found = [
        entry
        for entry in ledger()
        if wanted
        in f"{entry.title} {entry.printed} {entry.holds} {entry.check}".lower()
    ]
    if not found:
        raise ValueError(f"no entry has the word {word!r}; try a shorter one")
    return table(found)


def table(entries: list[Entry]) -> HTML:
    """A row for each entry; the colour at its left is the sort of entry."""
    head = "".join(
        f'<th style="text-align:left;width:{width}%">{name}</th>'
        for name, width in COLUMNS.items()
    )
    rows = "\n".join(map(_row, entries))
    return HTML(
        f"<table><thead><tr>{head}</tr></thead><tbody>\n{rows}\n</tbody></table>"
    )


def _row(entry: Entry) -> str:
    place = f'<a href="{entry.address}">{entry.place.replace(" ", "&nbsp;")}</a>'
    cells = (
        f"<b>E{entry.number}</b><br><small>{place}</small>",
        f"<b>{_cell(entry.title.removesuffix('.'))}.</b> {_cell(entry.printed)}",
        _cell(entry.holds),
        f"<small>{_cell(settle(entry)).replace(' | ', '<br>')}</small>",
    )
    styles = [f"{LEFT};border-left:6px solid {COLOURS[entry.sort]}"] + [LEFT] * 3
    inside = "".join(
        f'<td style="{style}">{cell}</td>'
        for style, cell in zip(styles, cells, strict=True)
    )
    return f"<tr>{inside}</tr>"


def _cell(text: str) -> str:
    """Text for HTML: escaped, with `code` set as code; formulas stay as they are."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text, quote=False))


def draw_counts(entries: list[Entry]) -> tuple[Figure, str]:
    """How many entries each lecture settles, by sort."""
    lectures = sorted({entry.lecture for entry in entries})
    fig, ax = figure(9, 6.4)
    left = np.zeros(len(lectures))
    for sort, words in SORTS.items():
        places = [lectures.index(e.lecture) for e in entries if e.sort == sort]
        count = np.bincount(places, minlength=len(lectures))
        label = f"{words} ({count.sum()})"
        ax.barh(lectures, count, left=left, color=COLOURS[sort], label=label)
        left += count
    ax.invert_yaxis()
    ax.set(xlabel="entries", ylabel="settled in lecture")
    fig.legend(loc="outside lower center", ncols=2, fontsize=10)
    most = lectures[int(left.argmax())]
    return fig, (
        f"Bars of the number of entries for each of {len(lectures)} lectures, coloured "
        f"by sort; most, {left.max():.0f}, are settled in {most}."
    )
