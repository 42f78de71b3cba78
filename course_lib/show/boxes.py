"""Boxes and arrows on an empty canvas."""

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from course_lib.show.plots import GREY, figure

# the small computation that `draw_rnn_steps` goes through: h_t = tanh(w h_{t-1} + x_t)


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
    width, height = size
    face = colour if filled else "white"
    patch = FancyBboxPatch(
        (x - width / 2, y - height / 2),
        width,
        height,
        boxstyle="round,pad=0.04",
        facecolor=face,
        edgecolor=colour if filled else GREY,
        linewidth=1.5,
    )
    ax.add_patch(patch)
    ink = "white" if filled else GREY
    ax.text(x, y, text, ha="center", va="center", color=ink, fontsize=12)


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
