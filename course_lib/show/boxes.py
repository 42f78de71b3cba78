"""Boxes and arrows on an empty canvas."""

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from course_lib.show.plots import GREY, figure


def box(
    ax: Axes,
    x: float,
    y: float,
    text: str,
    colour: str,
    filled: bool = True,
    size: tuple[float, float] = (0.56, 0.34),
) -> None:
    """A rounded box with its centre at (x, y); grey and hollow when not filled."""
    edge, ink = (colour, "white") if filled else (GREY, GREY)
    labelled(ax, x, y, text, edge, ink, not filled, size, fontsize=12)


def labelled(
    ax: Axes,
    x: float,
    y: float,
    text: str,
    colour: str,
    ink: str,
    hollow: bool,
    size: tuple[float, float],
    fontsize: float = 10.5,
) -> None:
    """A rounded box in a colour, hollow or full, with a text in another one."""
    width, height = size
    patch = FancyBboxPatch(
        (x - width / 2, y - height / 2),
        width,
        height,
        boxstyle="round,pad=0.04",
        facecolor="white" if hollow else colour,
        edgecolor=colour,
        linewidth=1.5,
    )
    ax.add_patch(patch)
    ax.text(x, y, text, ha="center", va="center", color=ink, fontsize=fontsize)


def arrow(
    ax: Axes,
    start: tuple[float, float],
    end: tuple[float, float],
    colour: str,
    label: str = "",
    shift: tuple[float, float] = (0.0, 0.12),
) -> None:
    """An arrow between two points with an optional label beside its middle."""
    patch = FancyArrowPatch(
        start, end, arrowstyle="-|>", mutation_scale=14, color=colour, linewidth=1.8
    )
    ax.add_patch(patch)
    if label:
        x = (start[0] + end[0]) / 2 + shift[0]
        y = (start[1] + end[1]) / 2 + shift[1]
        ax.text(x, y, label, ha="center", va="center", color=colour, fontsize=11)


def canvas(
    width: float, height: float, right: float, low: float, high: float
) -> tuple[Figure, Axes]:
    """An empty figure without axes, for drawing."""
    fig, ax = figure(width, height)
    ax.set(xlim=(-0.6, right), ylim=(low, high))
    ax.set_axis_off()
    return fig, ax
