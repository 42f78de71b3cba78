"""The history of the course's models, from 1990 on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from course_lib.show.plots import BLUE, GREY, INK, ORANGE, PURPLE, Picture, figure


@dataclass(frozen=True)
class Milestone:
    """A step in the history: when it was first public, what it was, its colour.

    paper  the arXiv number, whose first four digits are year and month, if there is one
    """

    year: int
    name: str
    idea: str
    lecture: str
    colour: str
    paper: str = ""


MILESTONES = (
    Milestone(1990, "Elman network", "a state that learns structure", "02", BLUE),
    Milestone(1997, "LSTM", "gates that keep a memory", "04", BLUE),
    Milestone(
        2013, "Graves", "a soft window for handwriting", "08b", ORANGE, "1308.0850"
    ),
    Milestone(
        2014,
        "encoder-decoder, seq2seq",
        "read it all, then write",
        "07",
        BLUE,
        "1406.1078",
    ),
    Milestone(
        2014,
        "Bahdanau and others",
        "translation that looks back",
        "08",
        ORANGE,
        "1409.0473",
    ),
    Milestone(
        2015,
        "Show, attend and tell; DRAW",
        "attention on images",
        "08b",
        ORANGE,
        "1502.03044",
    ),
    Milestone(
        2017, "Transformer", "attention without recurrence", "10", PURPLE, "1706.03762"
    ),
    Milestone(2018, "BERT", "pre-train, then fine-tune", "11", PURPLE, "1810.04805"),
    Milestone(2020, "GPT-3", "examples in the prompt", "11", PURPLE, "2005.14165"),
    Milestone(
        2020, "Vision Transformer", "a picture as words", "14b", PURPLE, "2010.11929"
    ),
    Milestone(2020, "AlphaFold 2", "the shapes of proteins", "14b", PURPLE),
    Milestone(
        2023, "Mamba", "a state again, trained in parallel", "17", BLUE, "2312.00752"
    ),
)


def draw_timeline(milestones: Sequence[Milestone] = MILESTONES) -> Picture:
    """One row for each step, the oldest on top; colours are families of models."""
    fig, ax = figure(8.8, 0.36 * len(milestones) + 0.3)
    ax.plot([0, 0], [0, 1 - len(milestones)], color=GREY, linewidth=2, zorder=0)
    for row, item in enumerate(milestones):
        ax.plot(0, -row, "o", color=item.colour, markersize=11)
        text: dict[str, Any] = {"va": "center", "color": INK, "fontsize": 12}
        ax.text(-0.25, -row, str(item.year), ha="right", **text)
        ax.text(0.3, -row, item.name, weight="bold", **text)
        ax.text(4.2, -row, item.idea, **text)
        ax.text(8.6, -row, f"lecture {item.lecture}" if item.lecture else "", **text)
    ax.set(xlim=(-1.2, 10), ylim=(0.6 - len(milestones), 0.6))
    ax.set_axis_off()
    told = "; ".join(f"{item.year} {item.name}, {item.idea}" for item in milestones)
    return fig, f"From recurrence to attention and back: {told}."
