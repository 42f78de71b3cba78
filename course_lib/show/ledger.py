"""Pictures and tables of the ledger (notebook A_ledger)."""

import html
import re
import textwrap
from functools import cache

import numpy as np
from IPython.display import HTML
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure

from course_lib.errata import SORTS, SOURCES, Entry, ledger, settle
from course_lib.errata.evidence import numbers, sees
from course_lib.errata.transformer import two_layers
from course_lib.errata.vanishing_gradients import SKEW, spectral_radius, two_thresholds
from course_lib.show.plots import (
    BLUE,
    GREEN,
    GREY,
    INK,
    ORANGE,
    PURPLE,
    SKY,
    YELLOW,
    figure,
)

COLOURS = dict(zip(SORTS, (ORANGE, YELLOW, PURPLE, SKY, GREEN), strict=True))
EVERYTHING = "everything"


def _cell(text: str) -> str:
    """Text for HTML: escaped, with `code` set as code; formulas stay as they are."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text, quote=False))


def _row(entry: Entry) -> str:
    """One entry as a row of the table."""
    name = entry.check if entry.is_fact else f"`{entry.check}`"
    cells = (
        f"<b>E{entry.number}</b>",
        f"<b>{_cell(entry.title)}</b><br><small>{_cell(entry.source)}</small>",
        _cell(entry.printed),
        _cell(entry.holds),
        f'<a href="{entry.address}">{entry.place.replace(" ", "&nbsp;")}</a>',
        f"<small>{_cell(name).replace('_', '_<wbr>')}</small>",  # may break there
    )
    style = "text-align:left;vertical-align:top"
    first = f"{style};border-left:6px solid {COLOURS[entry.sort]}"
    styles = [first] + [style] * (len(cells) - 1)
    inside = "".join(
        f'<td style="{s}">{c}</td>' for s, c in zip(styles, cells, strict=True)
    )
    return f"<tr>{inside}</tr>"


def table(entries: list[Entry]) -> HTML:
    """The ledger as a table; the colour of the first column is the sort of entry."""
    columns = {
        "": 6,
        "entry and source": 25,
        "printed": 22,
        "what holds": 24,
        "settled in": 8,
        "check": 15,
    }
    head = "".join(
        f'<th style="text-align:left;width:{width}%">{name}</th>'
        for name, width in columns.items()
    )
    rows = "\n".join(map(_row, entries))
    return HTML(
        f"<table><thead><tr>{head}</tr></thead><tbody>\n{rows}\n</tbody></table>"
    )


def sources() -> str:
    """The short names of the sources and what they stand for, as Markdown."""
    rows = [f"| {short} | {long} |" for short, long in SOURCES.items()]
    return "\n".join(["| in the table | in full |", "|---|---|", *rows])


def draw_counts(entries: list[Entry]) -> tuple[Figure, str]:
    """How many entries each lecture settles, by sort."""
    lectures = sorted({entry.lecture for entry in entries})
    fig, ax = figure(9, 4.2)
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


evidence = cache(settle)  # an entry is an immutable row, its evidence always the same


def draw_entries(lecture: str, sort: str = EVERYTHING) -> tuple[Figure, str]:
    """The entries of one lecture with the evidence of their checks, run now."""
    chosen = [e for e in ledger(lecture) if sort in (EVERYTHING, SORTS[e.sort])]
    lines = [_lines(entry) for entry in chosen] or [[f"No entry: {sort}."]]
    height = sum(map(len, lines)) + 0.6 * len(lines)
    fig, ax = figure(10, 0.5 + 0.24 * height)
    ax.set(xlim=(0, 1), ylim=(height, 0))
    ax.axis("off")
    noun = "entry" if len(chosen) == 1 else "entries"
    ax.set_title(f"Lecture {lecture.split('_')[0]}: {len(chosen)} {noun}")
    y = 0.5
    for k, (title, *below) in enumerate(lines):
        colour = COLOURS[chosen[k].sort] if chosen else GREY
        ax.plot([0, 0], [y - 0.5, y + len(below) + 0.4], color=colour, lw=6)
        ax.text(0.015, y, title, va="center", weight="bold", fontsize=11)
        for line in below:
            y += 1
            ax.text(0.03, y, line, va="center", fontsize=10.5, color=INK)
        y += 1.6
    told = "; ".join(f"E{e.number} {e.title}" for e in chosen) or "none"
    return (
        fig,
        f"The entries of lecture {lecture.split('_')[0]} with their evidence: {told}.",
    )


def _lines(entry: Entry) -> list[str]:
    """The title of an entry and its evidence, cut to the width of the picture."""
    parts = evidence(entry).split(" | ")
    below = [line for part in parts for line in textwrap.wrap(part, 112)]
    return [f"E{entry.number}  {entry.title}", *below]


def draw_growth() -> tuple[Figure, str]:
    """E40 and E8: what a bound allows and what happens; two thresholds and one."""
    fig, (ax, clip) = figure(10, 3.6, columns=2)
    k = np.arange(1, 41)
    sigma, rho = np.linalg.norm(SKEW, 2), spectral_radius(SKEW)
    norms = [np.linalg.norm(np.linalg.matrix_power(SKEW, n), 2) for n in k]
    ax.semilogy(k, sigma**k, "--", color=ORANGE, label=r"bound $\sigma_{\max}^k$")
    ax.semilogy(k, norms, color=BLUE, label=r"$\Vert W^k\Vert$")
    ax.semilogy(k, rho**k, ":", color=INK, label=r"$\rho^k$")
    ax.set(xlabel="power k", ylabel="size", title="E40: the bound and the truth")
    ax.legend()
    length = np.linspace(0, 9, 901)
    for eta, gamma, colour in ((1, 5, ORANGE), (5, 1, YELLOW), (1, 1, GREEN)):
        after = [two_thresholds(n, eta, gamma) for n in length]
        name = rf"$\eta$ = {eta}, $\gamma$ = {gamma}"
        clip.plot(length, after, color=colour, label=name)
    clip.plot(length, length, ":", color=GREY, label="unchanged")
    clip.set(xlabel="length before", ylabel="length after", ylim=(0, 7.5))
    clip.set_title("E8: clipping with two thresholds")
    clip.legend(fontsize=10, loc="center right", bbox_to_anchor=(1.0, 0.42))
    return fig, (
        "Left: the norm of the powers of a matrix falls to 1e-9 along its spectral "
        "radius while the bound from its singular value rises to 1e40. Right: with "
        "thresholds 1 and 5 a gradient of length 1.1 becomes 5; with one it becomes 1."
    )


def draw_leak() -> tuple[Figure, str]:
    """E31: who depends on whom after two layers, masked in one or in both."""
    x = numbers(1, 5, 8)
    fig, axes = figure(8, 3.4, columns=2)
    for ax, masked in zip(axes, (False, True), strict=True):
        seen = sees(lambda rows, m=masked: two_layers(rows, mask_second=m), x)
        future = np.triu(np.ones_like(seen), 1).astype(bool)
        shade = np.where(seen & future, 2, seen.astype(int))
        ax.imshow(shade, cmap=ListedColormap(["white", BLUE, ORANGE]), vmin=0, vmax=2)
        ax.set(xlabel="input position", ylabel="output position")
        ax.set_xticks(range(5), range(1, 6))  # counted from 1, as in the text
        ax.set_yticks(range(5), range(1, 6))
        ax.set_title("mask in both layers" if masked else "mask in the first only")
    return fig, (
        "Two grids of who depends on whom after two layers. Masked in the first layer "
        "only, every output depends on every input, the later ones included; masked in "
        "both, only the lower triangle is left."
    )
