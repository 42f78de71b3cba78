"""The map of the course and its contents, both made from course_map.tsv.

A new lecture is one line of that table: its part, its file, its title, what one learns.
Parts stand in the order in which they first occur.
"""

import csv
import textwrap
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from matplotlib.axes import Axes

from course_lib import progress
from course_lib.show.boxes import arrow, canvas, labelled
from course_lib.show.palette import PURPLE, SKY, YELLOW
from course_lib.show.plots import GREY, INK, PALETTE, Picture

TABLE = Path(__file__).with_suffix(".tsv")
MOST = 5  # lectures in a part; a longer one makes all boxes smaller
STEP, ROW = 1.88, 0.82  # from a box to the next, from a part to the next
SIZE = (1.5, 0.48)  # of a box
LETTERS = 13  # in a line of a box
LIGHT = (PURPLE, YELLOW, SKY, GREY)  # too light for white letters, and on white


@dataclass(frozen=True)
class Lecture:
    """A line of the table: `02_simple_rnn` has the number 02."""

    part: str
    notebook: str
    title: str
    learn: str

    @property
    def number(self) -> str:
        return self.notebook.split("_")[0]

    @property
    def companion(self) -> bool:
        """A number with a letter: beside the way, may be left out."""
        return self.number[-1].islower()


@cache
def lectures() -> tuple[Lecture, ...]:
    """All lectures but 00, in the order in which they are read."""
    with TABLE.open(encoding="utf8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t"))[1:]
    return tuple(Lecture(*row) for row in rows)


def parts() -> dict[str, list[Lecture]]:
    """The lectures of each part."""
    found: dict[str, list[Lecture]] = {}
    for lecture in lectures():
        found.setdefault(lecture.part, []).append(lecture)
    return found


def contents() -> str:
    """The table of contents as Markdown, with a link to every lecture."""
    lines = ["| | lecture | you learn to |", "|---|---|---|"]
    for part, members in parts().items():
        lines.append(f"| | **{part}** | |")
        for lecture in members:
            optional = " *(optional)*" if lecture.companion else ""
            link = f"[{lecture.title}]({lecture.notebook}.ipynb)"
            lines.append(f"| {lecture.number} | {link} | {lecture.learn}{optional} |")
    return "\n".join(lines)


def draw_map() -> Picture:
    """A row for each part, its lectures from left to right in the order of reading."""
    rows = parts()
    most = max(MOST, *map(len, rows.values()))
    width, low = 1.6 + STEP * most, -ROW * len(rows) + 0.4
    fig, ax = canvas(9.5, 9.5 / (width + 0.6) * (0.4 - low), width, low, 0.4)
    colours = [*PALETTE, GREY]
    for number, (part, members) in enumerate(rows.items()):
        colour = colours[number % len(colours)]
        _draw_part(ax, part, members, -ROW * number, colour)
    main = sum(not lecture.companion for lecture in lectures())
    beside = len(lectures()) - main
    return fig, (
        f"The course, a row for each of its parts: {', '.join(rows)}. "
        f"{main} notebooks stand in the order of reading; companions beside the way: "
        f"{beside}, drawn hollow."
    )


def _draw_part(
    ax: Axes, part: str, members: list[Lecture], y: float, colour: str
) -> None:
    """The name of a part, then its lectures: companions hollow, those begun ticked."""
    begun = progress.begun()
    name_in = INK if colour in LIGHT else colour
    ax.text(-0.5, y, part, va="center", color=name_in, weight="bold", fontsize=11)
    for place, lecture in enumerate(members):
        x = 2.2 + STEP * place
        name = f"{lecture.number} {lecture.title}"
        text = textwrap.fill(name, LETTERS, break_on_hyphens=False)
        ink = INK if lecture.companion or colour in LIGHT else "white"
        labelled(ax, x, y, text, colour, ink, lecture.companion, SIZE)
        if lecture.notebook in begun:
            ax.text(x + SIZE[0] / 2 - 0.09, y + 0.13, "✓", color=ink, fontsize=9)
        if place:
            gap = SIZE[0] / 2 + 0.06
            arrow(ax, (x - STEP + gap, y), (x - gap, y), GREY)
