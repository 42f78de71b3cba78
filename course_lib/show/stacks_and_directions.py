"""Stacks of recurrent layers, drawn: what an output sees, and what waits for what.

The plans are those of models/layer_plan.py; here time is counted from 1. Below them,
the measurements of lecture 05b, every network a point.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.patches import FancyBboxPatch, Rectangle

from course_lib.models.layer_plan import (
    WAYS,
    LayerPlan,
    cells_between,
    needed,
    parameter_count,
    rounds,
    sees,
    ways,
)
from course_lib.show.plots import (
    BLUE,
    GREEN,
    GREY,
    INK,
    ORANGE,
    SEQUENTIAL,
    YELLOW,
    Picture,
    figure,
    heat_map,
    seed_rows,
)

ARROWS = {"forward": "→", "backward": "←", "both": "⇄"}
# what the three controls of the lecture offer
CHOICES = [
    (f"{ARROWS[direction]}  {direction}, width {width}", LayerPlan(direction, width))
    for direction in WAYS
    for width in (8, 16)
]


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
    """A stack of LSTM layers: the cells behind one output, and how far inputs are away.

    Boxes hold the round in which a cell can be computed at the earliest; those that
    output number `at` depends on are filled. Squares hold the number of cells between
    an input and an output.
    """
    plan = [LayerPlan(*layer) for layer in layers]
    directions = [layer.direction for layer in plan]
    mask = sees(directions, steps)
    fig, (left, right) = figure(10, 4.4, columns=2)
    left.get_gridspec().set_width_ratios([1.75, 1])
    _draw_cells(left, plan, steps, at - 1, mask[at - 1])
    _draw_ways(right, cells_between(directions, steps), at - 1)
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
        if direction == "both":  # what enters and leaves the frame is for both rows
            _frame(ax, steps, y + 0.62, y + 2 * 0.62)
        for way in ways(direction):
            y += 0.62
            _row(ax, y, numbers[way], BLUE, used[way], f"{width} {ARROWS[way]}")
            sign = 1 if way == "forward" else -1
            _arrows(ax, t[:-1] + 0.5 - 0.17 * sign, y, 0.34 * sign, 0, INK)
    _arrows(ax, np.array([at]), y + 0.24, 0, 0.45, YELLOW)
    ax.text(at + 0.15, y + 0.55, f"output {at + 1}", va="center", color=INK)
    ax.set(xlim=(-1.3, steps - 0.5), ylim=(-0.4, y + 0.9))


def _frame(ax: Axes, steps: int, low: float, high: float) -> None:
    """A pale box behind the two rows of a pair: together they are one layer."""
    corner, size = (-0.36, low - 0.24), (steps - 0.28, high - low + 0.48)
    box = FancyBboxPatch(corner, *size, boxstyle="round,pad=0.04", zorder=0)
    box.set(facecolor="#EDEDED", edgecolor="none")
    ax.add_patch(box)


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


def _draw_mask(ax: Axes, mask: np.ndarray, title: str) -> None:
    """Blue squares where the mask is true."""
    heat_map(ax, -mask.astype(float), limit=1.25)  # blue, as states are
    _squares(ax, len(mask))
    ax.set_title(title, fontsize=11)


def _draw_ways(ax: Axes, lengths: np.ndarray, marked: int) -> None:
    """The cells between inputs and outputs, paler the more; white if there is no way.

    The row of the output `marked` gets a frame.
    """
    steps = len(lengths)
    # near is dark; the farthest that is seen at all is still blue enough to tell
    shade = np.where(lengths, 1.35 - lengths / lengths.max(), 0)
    heat_map(ax, -shade, limit=1.6)
    for (t, source), number in np.ndenumerate(lengths):
        ink = "white" if shade[t, source] > 0.9 else INK
        text = number if number else ""
        ax.text(source, t, text, ha="center", va="center", color=ink, fontsize=11)
    _squares(ax, steps)
    frame = {"fill": False, "ec": YELLOW, "lw": 4, "zorder": 5}
    row = Rectangle((-0.5, marked - 0.5), steps, 1, **frame)
    row.set_clip_on(False)
    ax.add_patch(row)
    ax.set_title("cells between $t'$ and $t$\n(white: not seen)", fontsize=11)


def _squares(ax: Axes, steps: int) -> None:
    """White lines between the squares, numbers from 1 along both sides."""
    ax.set_xticks(np.arange(steps + 1) - 0.5, minor=True)
    ax.set_yticks(np.arange(steps + 1) - 0.5, minor=True)
    ax.grid(which="minor", color="white", linewidth=2)
    ax.tick_params(which="both", length=0)
    numbers = [str(t) for t in range(1, steps + 1)]
    ax.set_xticks(range(steps), numbers)
    ax.set_yticks(range(steps), numbers)
    ax.set(xlabel="input $t'$", ylabel="output $t$")


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


def draw_depth(
    losses: Mapping[str, Mapping[int, Sequence[float]]], reference: float
) -> Picture:
    """Validation loss against depth, every network a point; one curve for each kind."""
    fig, ax = figure(8, 3.4)
    marks = zip(losses.items(), ((GREY, "s"), (BLUE, "o")), strict=True)
    for (name, by_depth), (colour, mark) in marks:
        depths = np.log2(list(by_depth))
        values = np.array(list(by_depth.values()))
        ax.plot(depths, values.mean(axis=1), color=colour, label=name)
        ax.plot(depths, values, mark, color=colour, markersize=6, alpha=0.7)
        ax.set_xticks(depths, [str(depth) for depth in by_depth])
    ax.axhline(reference, color=INK, linestyle=":")
    ax.text(0, reference, "letters alone (1-grams)", va="bottom", fontsize=10)
    ax.set(xlabel="layers", ylabel="validation loss, nats a letter")
    ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return fig, (
        "Validation loss against the number of layers, every network a point: plain "
        "stacks get worse and worse as they get deeper, towards what letters alone "
        "give; stacks with residual connections stay where a single layer is."
    )


def draw_tags(
    accuracy: Mapping[str, Sequence[float]], ceilings: Mapping[str, float]
) -> Picture:
    """Every tagger a point, the ceiling of its way of reading a green line."""
    fig, ax = figure(8, 0.9 + 0.55 * len(accuracy))
    seed_rows(ax, accuracy)
    for row, way in enumerate(accuracy):
        ax.plot([ceilings[way]] * 2, [row - 0.35, row + 0.35], color=GREEN)
    ax.set(xlim=(0.7, 1.02), xlabel="accuracy on her, that, fish (green: ceiling)")
    ax.set_ylabel("reads")
    told = ", ".join(f"{way} {value:.2f}" for way, value in ceilings.items())
    return fig, (
        "Tagging accuracy on the three ambiguous words, every network a point, none "
        f"right of the ceiling of its way of reading: {told}."
    )


def draw_forecasts(
    models: Mapping[str, np.ndarray], best: float, persistence: float
) -> Picture:
    """Errors (networks, 2) of each model: as reported, a circle, and in use, a square.

    Lines: the error of the best rule, 0.8 x_t, and that of "as today".
    """
    fig, ax = figure(8.5, 2.9)
    for row, (errors, colour) in enumerate(
        zip(models.values(), (BLUE, ORANGE), strict=True)
    ):
        for column, mark, lift in ((0, "o", 0.12), (1, "s", -0.12)):
            height = np.full(len(errors), row + lift)
            ax.plot(errors[:, column], height, mark, color=colour, markersize=9)
    ax.axvline(best, color=GREEN)
    ax.axvline(persistence, color=GREY, linestyle=":")
    ax.set_yticks(range(len(models)), list(models))
    ax.set(xlabel="mean squared error (circle: as reported, square: in use)")
    ax.set(ylabel="model", xlim=(-0.03, None), ylim=(len(models) - 0.5, -0.5))
    rules = "green: $0.8\\,x_t$, the best rule\ndotted: persistence"
    ax.text(0.44, 0.5, rules, va="center")
    return fig, (
        "Forecast errors, every network a point. Forward only: close to the best "
        "rule, 0.8 times the present value, as reported and in use. Both directions: "
        "close to nothing as reported, worse than persistence in use."
    )
