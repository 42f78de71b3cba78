r"""Pictures of lecture 14: a set and its inducing points, clouds, images, words.

The interactive one is `draw_bridge`: points one can move, each in the colour of the
inducing point that reads it most, and the weights $A_{mn}$ of every inducing point m on
every element n beside them.
"""

from collections.abc import Callable, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from course_lib.show.plots import (
    BLUE,
    GREEN,
    GREY,
    INK,
    ORANGE,
    PURPLE,
    SKY,
    YELLOW,
    Picture,
    figure,
    heat_map,
)

MOVES = ("one point", "its cluster")
COLOURS = (BLUE, ORANGE, GREEN, PURPLE, YELLOW, SKY)
MARKERS = ("o", "s", "^", "D", "v", "P")


def moved(
    points: np.ndarray, cluster: np.ndarray, moves: str, x: float, y: float
) -> np.ndarray:
    """The set with its first point at (x, y), alone or with all of its cluster."""
    if moves not in MOVES:
        raise ValueError(f"moves is {moves!r}, expected one of {MOVES}")
    points, cluster = np.array(points, dtype=float), np.asarray(cluster)
    step = np.array([x, y]) - points[0]
    together = cluster == cluster[0]
    chosen = together if moves == "its cluster" else np.arange(len(points)) == 0
    points[chosen] += step
    return points


def draw_bridge(
    look: Callable,
    points: np.ndarray,
    cluster: np.ndarray,
    moves: str = MOVES[0],
    x: float = 0.0,
    y: float = 0.0,
    reach: float = 4.5,
) -> Picture:
    """The interactive picture: (figure, description).

    look  takes points (N, 2) and gives outputs (N, 2) and weights (M, N)
    """
    points = moved(points, cluster, moves, x, y)
    outputs, weights = look(points)
    reader = weights.argmax(axis=0)  # which inducing point reads an element most
    fig, (left, right) = figure(9.6, 4.2, 1, 2)
    fig.set_layout_engine(None)  # known sizes: half the time of a slider step
    fig.subplots_adjust(left=0.07, right=0.97, bottom=0.15, top=0.9, wspace=0.22)
    left.scatter(*points[0], s=260, facecolor="none", edgecolor=INK, linewidth=1.5)
    for m in range(len(weights)):
        own = points[reader == m]
        colour, marker = COLOURS[m % 6], MARKERS[m % 6]
        left.scatter(*own.T, color=colour, marker=marker, s=40, label=f"point {m + 1}")
    left.scatter(*outputs.T, color=INK, marker="x", s=50, linewidth=1.5)
    left.set(
        xlim=(-reach, reach),
        ylim=(-reach, reach),
        xlabel="$x$",
        ylabel="$y$",
        title="the set; × what it names",
    )
    _weights_by_cluster(fig, right, weights, cluster)
    alt = (
        f"A set of {len(points)} points, {moves} moved so that the circled point is "
        f"at ({x:.2f}, {y:.2f}). It is read most by inducing point {reader[0] + 1}, "
        f"and its cluster is said to have its mean at "
        f"({outputs[0, 0]:.1f}, {outputs[0, 1]:.1f})."
    )
    return fig, alt


def _weights_by_cluster(
    fig: Figure, ax: Axes, weights: np.ndarray, cluster: np.ndarray
) -> None:
    """Elements sorted by cluster, a line between clusters, a row per inducing point."""
    cluster = np.asarray(cluster)
    order = np.argsort(cluster, kind="stable")
    limit = float(weights.max())
    image = heat_map(ax, weights[:, order], diverging=False, limit=limit)
    for edge in np.flatnonzero(np.diff(cluster[order])) + 0.5:
        ax.axvline(edge, color="white", linewidth=1.5)
    ax.set_yticks(range(len(weights)), [str(n + 1) for n in range(len(weights))])
    ax.set_xticks([])
    ax.set(
        title="weights",
        xlabel="elements, cluster by cluster",
        ylabel="inducing point",
    )
    for m, label in enumerate(ax.get_yticklabels()):
        label.set_color(COLOURS[m % 6])
        label.set_fontweight("bold")
    fig.colorbar(image, ax=ax, shrink=0.8)


def draw_clouds(
    clouds: np.ndarray, weights: np.ndarray, titles: Sequence[str], alt: str
) -> Picture:
    """Point clouds in a row; the area of a dot is the weight a seed gives the point."""
    fig, axes = figure(9.6, 2.7, 1, len(clouds))
    for ax, points, weight, title in zip(axes, clouds, weights, titles, strict=True):
        size = 40 * weight / weight.mean()  # not stretched: equal weights look equal
        ax.scatter(*np.asarray(points).T, s=size, color=BLUE, alpha=0.7)
        ax.set(xlim=(-1.7, 1.7), ylim=(-1.7, 1.7), aspect="equal", title=title)
        ax.set_axis_off()
    return fig, alt


def draw_processes(
    grid: np.ndarray, truth: np.ndarray, context: np.ndarray, panels: dict
) -> Picture:
    """Regression from a few points: a panel for each method.

    truth (T,); context (n, 2); panels: title -> mean (T,), deviation (T,)
    """
    fig, axes = figure(9.6, 3.0, 1, len(panels))
    for ax, (title, (mean, deviation)) in zip(axes, panels.items(), strict=True):
        ax.fill_between(grid, mean - 2 * deviation, mean + 2 * deviation, color=SKY,
                        alpha=0.35, linewidth=0)  # fmt: skip
        ax.plot(grid, truth, "--", color=GREY, linewidth=1.5)
        ax.plot(grid, mean, color=BLUE)
        ax.plot(*np.asarray(context).T, "o", color=INK, markersize=5)
        ax.set(title=title, xlabel="$x$", ylabel="$y$", ylim=(-3, 3))
    for ax in axes[1:]:
        ax.set_ylabel("")
        ax.tick_params(labelleft=False)
    misses = {
        title: float(
            np.abs(np.interp(context[:, 0], grid, mean) - context[:, 1]).mean()
        )
        for title, (mean, _) in panels.items()
    }
    # No digits: those of a trained network differ from processor to processor.
    order = ", ".join(sorted(misses, key=lambda name: misses[name], reverse=True))
    alt = (
        f"A function known at {len(context)} points, and its reconstructions. From the "
        f"curve that misses the known points most to the closest: {order}."
    )
    return fig, alt


def draw_gallery(
    rows: dict,
    alt: str,
    width: float = 9.6,
    limit: float = 1.0,
    given: int | None = None,
) -> Picture:
    """Small pictures in rows, (count, h, w) each; the key is the row's title.

    given  draws a line below this many rows of pixels: what was known above it
    """
    count = max(map(len, rows.values()))
    fig, axes = figure(width, 1.15 * len(rows), len(rows), count)
    axes = np.atleast_2d(axes)
    for line, (title, images) in zip(axes, rows.items(), strict=True):
        for ax, image in zip(line, images, strict=False):
            ax.imshow(image, cmap="Greys", vmin=0, vmax=limit)
            if given is not None:
                ax.axhline(given - 0.5, color=ORANGE, linewidth=1.2)
        for ax in line:
            ax.set(xticks=[], yticks=[])
            ax.spines[:].set_visible(False)
        line[0].set_ylabel(title, rotation=0, ha="right", va="center", labelpad=8)
    return fig, alt


def draw_words(
    picture: np.ndarray, words: Sequence[str], maps: np.ndarray, alt: str
) -> Picture:
    """A picture (3, h, w), and for each word the regions it reads, (words, r, r)."""
    fig, axes = figure(9.6, 2.0, 1, 1 + len(words))
    height, width = np.shape(picture)[1:]
    image = np.moveaxis(np.asarray(picture), 0, -1)
    for ax in axes:
        ax.set_axis_off()
    axes[0].imshow(image)
    axes[0].set_title("picture", fontsize=11)
    for ax, word, weight in zip(axes[1:], words, maps, strict=True):
        ax.imshow(image, alpha=0.35)
        ax.imshow(np.asarray(weight), cmap="Blues", vmin=0, vmax=1, alpha=0.7,
                  extent=(-0.5, width - 0.5, height - 0.5, -0.5))  # fmt: skip
        ax.set_title(word, fontsize=11)
    return fig, alt
