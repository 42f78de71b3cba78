r"""Pictures of lecture 14: shuffled rows, contests of seeds, inducing points, clouds.

The interactive one is `draw_bridge`: points one can move, each in the colour of the
inducing point that reads it most, and the weights $A_{mn}$ of every inducing point m on
every element n beside them.
"""

from collections.abc import Callable, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

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
    seed_rows,
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


def draw_clouds(clouds: np.ndarray, titles: Sequence[str], alt: str) -> Picture:
    """Point clouds in a row, all on the same scale; grey lines cross at the origin."""
    fig, axes = figure(9.6, 2.5, 1, len(clouds))
    for ax, points, title in zip(axes, clouds, titles, strict=True):
        ax.axhline(0, color=GREY, linewidth=0.6)
        ax.axvline(0, color=GREY, linewidth=0.6)
        ax.scatter(*np.asarray(points).T, s=26, color=BLUE, alpha=0.8)
        ax.set(xlim=(-1.7, 1.7), ylim=(-1.7, 1.7), aspect="equal", title=title)
        ax.set_axis_off()
    return fig, alt


def draw_shuffle(before: dict, after: dict, order: Sequence[int]) -> Picture:
    """Rows of arrays (N, columns), each in the colour of its element, twice.

    before  title -> array, for the rows as they were stored
    after   the same for the rows in another order: row n holds element order[n]
    """
    fig, axes = figure(9.6, 3.9, 2, len(before))
    count = len(order)
    for line, arrays, owners in (
        (axes[0], before, range(count)),
        (axes[1], after, order),
    ):
        for ax, (title, array) in zip(line, arrays.items(), strict=True):
            _coloured_rows(ax, np.atleast_2d(array), owners, title)
    alt = (
        f"Above, {count} rows go through three functions; below, the same rows in "
        "another order. Subtracting the mean: the same rows come out, in the new "
        "order. The sum: the same single row. The first row minus the last: another "
        "row."
    )
    return fig, alt


def _coloured_rows(
    ax: Axes, array: np.ndarray, owners: Sequence[int], title: str
) -> None:
    """Numbers in cells; one row alone belongs to no element and is grey."""
    several = len(array) > 1
    for n, row in enumerate(array):
        colour = COLOURS[owners[n] % 6] if several else GREY
        for m, value in enumerate(row):
            place = (m, len(array) - 1 - n)
            ax.add_patch(Rectangle(place, 0.96, 0.9, color=colour, alpha=0.3))
            text = f"{value:g}".replace("-", "−")
            middle = (place[0] + 0.48, place[1] + 0.45)
            ax.text(*middle, text, ha="center", va="center", color=INK)
    ax.set(xlim=(-0.1, 2.1), ylim=(-0.1, 3.1), title=title)
    ax.set_axis_off()


def draw_seeds(
    panels: dict, xlabel: str, alt: str, floor: dict | None = None, log: bool = False
) -> Picture:
    """A panel for each task, a row for each network, a point for each seed.

    panels  title -> {network: values}; or title -> {group: {network: values}}, where
            each group has a colour of its own
    floor   title -> where a dashed line stands: the best one can do, or a rule by hand
    """
    fig, axes = figure(9.6, 0.42 * len(_rows(panels)) + 1.4, 1, len(panels))
    axes = np.atleast_1d(axes)
    for ax, (title, entry) in zip(axes, panels.items(), strict=True):
        grouped = isinstance(next(iter(entry.values())), dict)
        groups = entry if grouped else {"": entry}
        for colour, (name, results) in zip(COLOURS, groups.items(), strict=False):
            seed_rows(ax, results, [colour])
            if name:
                ax.plot([], [], "o", color=colour, alpha=0.7, label=name)
        if floor and title in floor:
            ax.axvline(floor[title], color=INK, linestyle="--", linewidth=1)
        if log:
            ax.set_xscale("log")
        ax.set(title=title, xlabel=xlabel)
        ax.set_ylabel("network" if ax is axes[0] else "")
        if ax is not axes[0]:
            ax.set_yticklabels([])
        if grouped and ax is axes[-1]:
            ax.legend(loc="best", fontsize=10)
    return fig, alt


def _rows(panels: dict) -> dict:
    entry = next(iter(panels.values()))
    first = next(iter(entry.values()))
    return first if isinstance(first, dict) else entry


def draw_pseudo_inputs(
    points: np.ndarray, found: dict[int, np.ndarray], alt: str
) -> Picture:
    """Data (N, 2) in grey, and for each M the M learned points that stand for them."""
    fig, axes = figure(9.6, 3.0, 1, len(found))
    for ax, (count, learned) in zip(axes, found.items(), strict=True):
        ax.scatter(*np.asarray(points).T, s=4, color=GREY, alpha=0.5)
        ax.scatter(*np.asarray(learned).T, s=90, color=ORANGE, marker="X",
                   edgecolor="white")  # fmt: skip
        ax.set(title=f"$M = {count}$", xlabel="$x$", xlim=(-4.5, 4.5), ylim=(-4.5, 4.5))
        ax.set_ylabel("$y$" if ax is axes[0] else "")
        ax.tick_params(labelleft=ax is axes[0])
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
