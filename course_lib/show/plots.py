"""Figures: one style, and `show`, which insists on labels and alt text."""

import base64
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from IPython.display import display
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.rcsetup import cycler
from PIL import Image

# who draws takes the colours from here, too
from course_lib.show.palette import (  # noqa: F401
    BLUE,
    DIVERGING,
    GREEN,
    GREY,
    INK,
    ORANGE,
    PALETTE,
    PURPLE,
    SEQUENTIAL,
    SKY,
    YELLOW,
)

STYLE: dict[Any, Any] = {
    "figure.dpi": 100,
    "savefig.dpi": 100,
    "font.size": 12,
    "axes.titlesize": 13,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.prop_cycle": cycler(color=PALETTE),
    "lines.linewidth": 2,
    "legend.frameon": False,
    "image.interpolation": "nearest",
}
mpl.rcParams.update(STYLE)

Picture = tuple[Figure, str]  # what is drawn, and its description in words


def figure(
    width: float = 8, height: float = 3.5, rows: int = 1, columns: int = 1
) -> tuple[Figure, Any]:
    """`plt.subplots` with a layout in which nothing overlaps."""
    size = (width, height)
    return plt.subplots(rows, columns, figsize=size, layout="constrained")


def png(fig: Figure) -> bytes:
    """The figure as PNG bytes, in 256 colours: far smaller, and equal to the eye."""
    drawn, small = io.BytesIO(), io.BytesIO()
    fig.savefig(drawn, format="png", facecolor="white")
    with Image.open(drawn) as picture:
        # the colours that lie farthest apart, so that a rare one is not merged away
        few = picture.convert("RGB").quantize(
            256, Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE
        )
        few.save(small, format="png", optimize=True)
    return small.getvalue()


def unlabelled(fig: Figure) -> list[str]:
    """What a reader would miss: visible axes without a label on x or y."""
    missing = []
    for number, ax in enumerate(fig.axes):
        if not ax.axison or ax.get_label() == "<colorbar>":
            continue
        for name, axis, label in (
            ("x", ax.xaxis, ax.get_xlabel()),
            ("y", ax.yaxis, ax.get_ylabel()),
        ):
            ticks = [t for t in axis.get_ticklabels() if t.get_text()]
            if axis.get_visible() and ticks and not label:
                missing.append(f"axes {number}: {name}")
    return missing


def show(fig: Figure, alt: str) -> None:
    """Display the figure with a description for people who cannot see it, and close it.

    The description is stored as the picture's alternative text and as its plain text,
    so notebook tests compare it. Say what the figure shows, not just what it is of.
    """
    if len(alt) < 20:
        raise ValueError(f"describe the figure in a sentence; {alt!r} is too short")
    fig.canvas.draw()  # ticks exist only after drawing
    missing = unlabelled(fig)
    if missing:
        raise ValueError(f"label these axes before showing the figure: {missing}")
    picture = base64.b64encode(png(fig)).decode()
    plt.close(fig)
    display(
        {"image/png": picture, "text/plain": f"Figure: {alt}"},
        metadata={"image/png": {"alt": alt}},
        raw=True,
    )


def heat_map(
    ax: Axes,
    array: np.ndarray,
    *,
    diverging: bool = True,
    values: bool = False,
    **kw: Any,
) -> AxesImage:
    """An array as coloured squares; signed data are white at zero.

    values=True writes the numbers into the squares. Returns the image.
    """
    limit = kw.pop("limit", None) or float(abs(array).max()) or 1.0
    low = -limit if diverging else 0.0
    cmap = DIVERGING if diverging else SEQUENTIAL
    image = ax.imshow(array, cmap=cmap, vmin=low, vmax=limit, aspect="auto", **kw)
    ax.spines[:].set_visible(False)
    if values:
        for (row, column), value in _entries(array):
            strong = abs(value) > 0.6 * limit if diverging else value < 0.5 * limit
            colour = "white" if strong else INK
            text = f"{value:.2f}"
            ax.text(column, row, text, ha="center", va="center", color=colour)
    return image


def _entries(array: np.ndarray) -> Iterator[tuple[tuple[int, int], float]]:
    for row in range(array.shape[0]):
        for column in range(array.shape[1]):
            yield (row, column), array[row, column]


def seed_rows(
    ax: Axes, results: Mapping[str, Sequence[float]], colours: Sequence[str] = (BLUE,)
) -> None:
    """One row for each entry, from the top, with a point for every network.

    Points of a row stand a little above one another, so that none hides another.
    """
    for row, values in enumerate(results.values()):
        height = row + np.linspace(-0.25, 0.25, len(values))
        colour = colours[row % len(colours)]
        ax.plot(np.asarray(values), height, "o", color=colour, markersize=6, alpha=0.7)
    ax.set_yticks(range(len(results)), list(results))
    ax.set_ylim(len(results) - 0.5, -0.5)
    ax.grid(axis="y", color=GREY, alpha=0.2)
