"""Stacks of recurrent layers, drawn: what an output sees, and what waits for what.

A layer runs "forward", "backward", or in "both" directions; one that runs both ways
consists of two passes whose states are concatenated. Everything here follows from two
arrows: a pass needs its own neighbour in time, and the layer below at the same time.
Steps of time are counted from 1 in what is drawn, from 0 in the arrays. Lecture 05.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.patches import FancyBboxPatch, Rectangle

from course_lib.show.plots import (
    BLUE,
    GREEN,
    GREY,
    INK,
    SEQUENTIAL,
    YELLOW,
    Picture,
    figure,
    heat_map,
)

WAYS = {
    "forward": ("forward",),
    "backward": ("backward",),
    "both": ("forward", "backward"),
}
ARROWS = {"forward": "→", "backward": "←", "both": "⇄"}


class LayerPlan(NamedTuple):
    """A layer of the stack; width is that of one direction."""

    direction: str
    width: int


# what the three controls of the lecture offer
CHOICES = [
    (f"{ARROWS[direction]}  {direction}, width {width}", LayerPlan(direction, width))
    for direction in WAYS
    for width in (8, 16)
]


def ways(direction: str) -> tuple[str, ...]:
    if direction not in WAYS:
        raise ValueError(f"direction is {direction!r}, expected one of {list(WAYS)}")
    return WAYS[direction]


def rounds(directions: list[str], steps: int) -> list[dict[str, np.ndarray]]:
    """The earliest round in which each cell can be computed, with workers to spare.

    A cell needs its neighbour in time and the layer below at the same time:
    round = 1 + max(of both). One dictionary per layer, from way to (steps,) numbers.
    """
    result, below = [], np.zeros(steps, int)
    for direction in directions:
        layer = {}
        for way in ways(direction):
            layer[way] = np.zeros(steps, int)
            before = 0
            for t in range(steps) if way == "forward" else reversed(range(steps)):
                before = layer[way][t] = 1 + max(before, below[t])
        below = np.max(list(layer.values()), axis=0)  # above, both states are needed
        result.append(layer)
    return result


def sees(directions: list[str], steps: int) -> np.ndarray:
    """(steps, steps) of True where output t depends on input t'."""
    one = np.ones((steps, steps), int)
    masks = {"forward": np.tril(one), "backward": np.triu(one), "both": one}
    reach = np.eye(steps, dtype=int)
    for direction in directions:
        ways(direction)  # refuses an unknown direction
        reach = masks[direction] @ reach
    return reach > 0


def needed(directions: list[str], steps: int, at: int) -> list[dict[str, np.ndarray]]:
    """Which states the output at time index `at` depends on, layer by layer.

    Walks down from the top: a forward pass needs all its states up to the latest
    that is asked for, a backward pass all from the earliest on.
    """
    asked, t = np.arange(steps) == at, np.arange(steps)
    result = []
    for direction in reversed(directions):
        latest, earliest = t[asked].max(), t[asked].min()
        masks = {"forward": t <= latest, "backward": t >= earliest}
        layer = {way: masks[way] for way in ways(direction)}
        asked = np.any(list(layer.values()), axis=0)
        result.append(layer)
    return result[::-1]


def parameter_count(plan: list[LayerPlan], d_x: int) -> int:
    r"""LSTM parameters, one bias per block: $4 d (d_{in} + d + 1)$ for each pass."""
    total, d_in = 0, d_x
    for direction, width in plan:
        passes = len(ways(direction))
        total += passes * 4 * width * (d_in + width + 1)
        d_in = passes * width
    return total


def draw_rounds(stacks: dict[str, list[str]], steps: int) -> Picture:
    """Grids of cells, depth upwards and time to the right, numbered by their round."""
    fig, axes = figure(9, 2.8, columns=len(stacks))
    ends = {}
    for ax, (name, directions) in zip(np.atleast_1d(axes), stacks.items(), strict=True):
        grid = np.array([next(iter(r.values())) for r in rounds(directions, steps)])
        ends[name] = grid.max()
        ax.imshow(grid, cmap=SEQUENTIAL, vmin=1, aspect="auto", origin="lower")
        for (layer, t), number in np.ndenumerate(grid):
            ink = "white" if number < 0.6 * grid.max() else INK
            ax.text(t, layer, number, ha="center", va="center", color=ink, fontsize=14)
        labels = [f"{n} {ARROWS[way]}" for n, way in enumerate(directions, 1)]
        ax.set_yticks(range(len(directions)), labels)
        ax.set_xticks(range(steps), range(1, steps + 1))
        ax.set(title=f"{name}: {grid.max()} rounds", xlabel="time $t$", ylabel="layer")
        ax.spines[:].set_visible(False)
    counts = "; ".join(f"{name}, {end} rounds" for name, end in ends.items())
    return fig, f"The earliest round of every cell by layer and time: {counts}."


def draw_masks(masks: dict[str, np.ndarray]) -> Picture:
    """Squares (steps, steps) side by side, coloured where output t depends on t'."""
    fig, axes = figure(10, 3, columns=len(masks))
    for ax, (name, mask) in zip(np.atleast_1d(axes), masks.items(), strict=True):
        _draw_mask(ax, mask, name)
    shares = ", ".join(f"{name} {mask.mean():.0%}" for name, mask in masks.items())
    return fig, f"Which inputs each output depends on; share of all pairs: {shares}."


def draw_stack(
    *layers: LayerPlan, at: int = 3, steps: int = 6, d_x: int = 4
) -> Picture:
    """A stack of LSTM layers: the cells behind one output, and what every output sees.

    Boxes hold the round in which a cell can be computed at the earliest; those that
    output number `at` depends on are filled.
    """
    plan = [LayerPlan(*layer) for layer in layers]
    directions = [layer.direction for layer in plan]
    mask = sees(directions, steps)
    fig, (left, right) = figure(10, 4.4, columns=2)
    left.get_gridspec().set_width_ratios([1.75, 1])
    _draw_cells(left, plan, steps, at - 1, mask[at - 1])
    _draw_mask(right, mask, "coloured: $t$ sees $t'$", at - 1)
    caption = _caption(plan, mask, at, d_x)
    left.set_title(caption.replace("; ", "\n", 1), fontsize=12)
    return fig, f"A stack of recurrent layers. {caption}"


def draw_three(layer_1: LayerPlan, layer_2: LayerPlan, layer_3: LayerPlan) -> Picture:
    """`draw_stack` for exactly three layers, by name: what the controls call."""
    return draw_stack(layer_1, layer_2, layer_3)


def _draw_cells(
    ax: Axes, plan: list[LayerPlan], steps: int, at: int, seen: np.ndarray
) -> None:
    """The inputs at the bottom, one row of boxes per pass, arrows along the passes."""
    directions = [layer.direction for layer in plan]
    order, behind = rounds(directions, steps), needed(directions, steps, at)
    ax.set_axis_off()
    y, t = 0.0, np.arange(steps)
    _row(ax, y, [f"$x_{n}$" for n in t + 1], GREEN, seen, "input")
    for (direction, width), numbers, used in zip(plan, order, behind, strict=True):
        y += 0.38
        _arrows(ax, t, y - 0.14, 0, 0.5, GREY)  # from the layer below
        for way in ways(direction):
            y += 0.62
            _row(ax, y, numbers[way], BLUE, used[way], f"{width} {ARROWS[way]}")
            sign = 1 if way == "forward" else -1
            _arrows(ax, t[:-1] + 0.5 - 0.17 * sign, y, 0.34 * sign, 0, INK)
    _arrows(ax, np.array([at]), y + 0.24, 0, 0.45, YELLOW)
    ax.text(at + 0.15, y + 0.55, f"output {at + 1}", va="center", color=INK)
    ax.set(xlim=(-1.3, steps - 0.5), ylim=(-0.4, y + 0.9))


def _row(
    ax: Axes,
    y: float,
    texts: Sequence[str] | np.ndarray,
    colour: str,
    filled: np.ndarray,
    label: str,
) -> None:
    """A row of boxes with one text each, as one collection: drawing stays quick."""
    shapes = [
        FancyBboxPatch((x - 0.28, y - 0.17), 0.56, 0.34, boxstyle="round,pad=0.04")
        for x in range(len(texts))
    ]
    ax.add_collection(
        PatchCollection(
            shapes,
            facecolors=[colour if full else "white" for full in filled],
            edgecolors=[colour if full else GREY for full in filled],
            linewidths=1.5,
        )
    )
    for x, (text, full) in enumerate(zip(texts, filled, strict=True)):
        ink = "white" if full else GREY
        ax.text(x, y, text, ha="center", va="center", color=ink, in_layout=False)
    ax.text(-0.5, y, label, ha="right", va="center", color=INK, in_layout=False)


def _arrows(
    ax: Axes, x: np.ndarray, y: float, dx: float, dy: float, colour: str
) -> None:
    """Equal arrows from (x, y) for every x, as one artist."""
    style = {"angles": "xy", "scale_units": "xy", "scale": 1, "width": 0.004}
    one = np.ones(len(x))
    ax.quiver(x, y * one, dx * one, dy * one, color=colour, **style, headwidth=5)


def _draw_mask(
    ax: Axes, mask: np.ndarray, title: str, marked: int | None = None
) -> None:
    """Blue squares where the mask is true; the row `marked` gets a frame."""
    steps = len(mask)
    heat_map(ax, -mask.astype(float), limit=1.25)  # blue, as states are
    ax.set_xticks(np.arange(steps + 1) - 0.5, minor=True)
    ax.set_yticks(np.arange(steps + 1) - 0.5, minor=True)
    ax.grid(which="minor", color="white", linewidth=2)
    ax.tick_params(which="both", length=0)
    if marked is not None:
        frame = {"fill": False, "ec": YELLOW, "lw": 4, "zorder": 5}
        row = Rectangle((-0.5, marked - 0.5), steps, 1, **frame)
        row.set_clip_on(False)
        ax.add_patch(row)
    numbers = [str(t) for t in range(1, steps + 1)]
    ax.set_xticks(range(steps), numbers)
    ax.set_yticks(range(steps), numbers)
    ax.set(xlabel="input $t'$", ylabel="output $t$")
    ax.set_title(title, fontsize=11)


def _caption(plan: list[LayerPlan], mask: np.ndarray, at: int, d_x: int) -> str:
    directions = [layer.direction for layer in plan]
    seen = np.flatnonzero(mask[at - 1]) + 1
    last = max(r.max() for r in rounds(directions, len(mask))[-1].values())
    width = len(ways(directions[-1])) * plan[-1].width
    names = ", ".join(f"{ARROWS[d]} {width}" for d, width in plan)
    return (
        f"{names}: output {at} sees inputs {seen[0]} to {seen[-1]}; "
        f"output width {width}, {parameter_count(plan, d_x):,} parameters, "
        f"{last} rounds"
    )
