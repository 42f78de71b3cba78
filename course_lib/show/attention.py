"""Drawings of lecture 08: a decoder that looks back, and where it looked."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from course_lib.show.boxes import arrow, box, canvas
from course_lib.show.plots import (
    BLUE,
    GREEN,
    GREY,
    INK,
    ORANGE,
    PURPLE,
    SEQUENTIAL,
    YELLOW,
    figure,
    heat_map,
)

SOURCE = ("we", "are", "eating", "bread")
TARGET = ("estamos", "comiendo", "pan")
# made-up weights for the diagram: one row for each word of TARGET
WEIGHTS = np.array([[0.5, 0.4, 0.1, 0.0], [0.0, 0.2, 0.75, 0.05], [0.0, 0.0, 0.1, 0.9]])


def looking_back() -> tuple[Figure, str]:
    """Features on the left, decoder states on the right, a context for every step."""
    fig, ax = canvas(10, 5, 9.4, -2.2, 3.1)
    size, heights = (0.95, 0.36), (0.5, 1.5, 2.7)  # rising, so that no line hides a box
    for t, word in enumerate(SOURCE):
        box(ax, 1.15 * t, -1.3, word, GREEN, size=size)
        box(ax, 1.15 * t, -0.3, f"$f_{t + 1}$", BLUE)
        arrow(ax, (1.15 * t, -1.08), (1.15 * t, -0.52), INK)
    for n, (word, y) in enumerate(zip(TARGET, heights, strict=True)):
        x = 5.4 + 1.6 * n
        for t, weight in enumerate(WEIGHTS[n]):
            if weight >= 0.05:
                ends = (1.15 * t, x - 0.33), (-0.08, y)
                ax.plot(*ends, color=YELLOW, lw=6 * weight, zorder=0)
        box(ax, x, y, f"$v_{n + 1}$", YELLOW)
        box(ax, x, -0.3, f"$s_{n + 1}$", BLUE)
        box(ax, x, -1.3, ("<sos>", *TARGET)[n], PURPLE if n else GREEN, size=size)
        arrow(ax, (x, -1.08), (x, -0.52), INK)
        arrow(ax, (x, y - 0.22), (x, -0.08), YELLOW)
        ax.text(x, -1.95, f"writes {word}", color=INK, fontsize=12, ha="center")
        if n:
            arrow(ax, (x - 1.28, -0.3), (x - 0.33, -0.3), BLUE)
            arrow(ax, (x - 1.42, -0.08), (x - 0.15, y - 0.22), GREY)
    ax.text(0.0, 1.6, "gold: the weights, and the context", color=INK, fontsize=12)
    ax.text(0.0, 1.15, "grey: the state before is the query", color=INK, fontsize=12)
    alt = (
        "Four features of we are eating bread on the left, three decoder states on the "
        "right. Above each state stands its own context v, joined to the features by "
        "lines; for estamos the thickest lead to we and are, for comiendo to eating, "
        "for pan to bread. A grey arrow leads from each state to the next context."
    )
    return fig, alt


def weight_map(
    weights: np.ndarray,
    source: Sequence[str],
    target: Sequence[str],
    frame: tuple[int, int, int, int] | None = None,
) -> tuple[Figure, str]:
    """Weights as a picture: (target words, source words).

    frame  first and last row, first and last column of a block to be marked
    """
    if weights.shape != (len(target), len(source)):
        raise ValueError(
            f"weights of shape {weights.shape} for {len(target)} words written and "
            f"{len(source)} read"
        )
    fig, ax = figure(8, 0.9 + 0.3 * len(target))
    image = heat_map(ax, weights, diverging=False, limit=1.0)
    if frame:
        top, bottom, left, right = frame
        corner, wide, high = (left - 0.5, top - 0.5), right - left + 1, bottom - top + 1
        ax.add_patch(Rectangle(corner, wide, high, fill=False, ec=ORANGE, lw=3))
    ax.set(xlabel="word read", ylabel="word written")
    ax.set_xticks(range(len(source)), source, rotation=40, ha="right")
    ax.set_yticks(range(len(target)), target)
    fig.colorbar(image, label="weight")
    best = ", ".join(
        f"{word} from {source[row.argmax()]}"
        for word, row in zip(target, weights, strict=True)
    )
    return fig, f"Attention weights; the largest of each row: {best}."


def reading(
    weights: np.ndarray, source: Sequence[str], target: Sequence[str], word: int
) -> tuple[Figure, str]:
    """What was read for one word of the output: a bar over every input word.

    word  counted from 1
    """
    if not 1 <= word <= len(target):
        raise ValueError(f"word {word} is not among the {len(target)} words written")
    row = weights[word - 1]
    fig, ax = figure(9, 3.4)
    ax.bar(range(len(source)), row, color=[BLUE if a > 0.1 else GREY for a in row])
    ax.set(ylim=(0, 1.05), ylabel="weight", xlabel="word read")
    ax.set_xticks(range(len(source)), source, rotation=30, ha="right")
    said = [f"[{w}]" if n == word - 1 else w for n, w in enumerate(target)]
    ax.set_title(" ".join(said), fontsize=12)
    most = int(row.argmax())
    alt = (
        f"Word {word} of the output, {target[word - 1]}, was written while reading "
        f"{source[most]} with weight {row[most]:.2f}."
    )
    return fig, alt


def looks(
    image: np.ndarray, words: Sequence[str], weights: np.ndarray, centres: np.ndarray
) -> Figure:
    """A picture once per word, dimmed where the word's step did not look.

    image (3, S, S), weights (words, g, g), centres (words, 2) as x and y in pixels
    """
    fig, axes = figure(1.5 * len(words), 2.1, 1, len(words))
    size = image.shape[-1]
    repeat = size // weights.shape[-1]
    for ax, word, map_, centre in zip(axes, words, weights, centres, strict=True):
        light = np.kron(map_ / map_.max(), np.ones((repeat, repeat)))
        ax.imshow(np.moveaxis(image, 0, 2) * (0.25 + 0.75 * light[..., None]))
        ax.plot(*(centre - 0.5), "x", color=YELLOW, markersize=10, markeredgewidth=3)
        ax.set_title(word, fontsize=12, fontweight="normal", loc="center")
        ax.set_axis_off()
    return fig


def framed(ax: Axes) -> None:
    """A picture without numbers at its sides, but with an edge: white belongs to it."""
    ax.set(xticks=[], yticks=[])
    ax.spines[:].set(visible=True, color=GREY)


def window_map(phi: np.ndarray, kappa: np.ndarray) -> tuple[Figure, str]:
    """Graves's window: phi (steps, characters) as a picture, with its centres.

    Steps and characters are counted from 1, as in the formula.
    """
    fig, ax = figure(7.5, 3.4)
    right, top = (size + 0.5 for size in phi.shape)
    at = {"origin": "lower", "extent": (0.5, right, 0.5, top)}
    image = ax.imshow(phi.T, cmap=SEQUENTIAL, aspect="auto", **at)
    ax.plot(range(1, len(kappa) + 1), kappa, color=ORANGE, label=r"centre $\kappa_t$")
    ax.set(xlabel="pen step $t$", ylabel="character $l$", ylim=(0.5, top))
    ax.legend(loc="upper left", labelcolor="white")
    fig.colorbar(image, label=r"$\phi(t, l)$")
    alt = (
        f"The window moves from character {kappa[0]:.1f} to {kappa[-1]:.1f} in "
        f"{len(kappa)} pen steps, as a bright band along its centre."
    )
    return fig, alt
