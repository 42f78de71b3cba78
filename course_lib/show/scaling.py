r"""Pictures of lecture 12: rotations, the cache, the law, and where a budget goes.

`PUBLISHED` is the table of published runs: parameters and training tokens as their
papers give them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from numpy import ndarray

from course_lib.models.scaling_runs import HELD_OUT, Row
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

Law = Callable[[ndarray, ndarray], ndarray]  # N, D -> nats a letter
COLOURS = (SKY, BLUE, PURPLE, INK)  # of budgets, from the smallest


@dataclass(frozen=True)
class Published:
    """A trained model as its paper describes it."""

    name: str
    year: int
    parameters: float
    tokens: float


PUBLISHED = (
    Published("GPT-3", 2020, 175e9, 300e9),
    Published("Gopher", 2021, 280e9, 300e9),
    Published("Chinchilla", 2022, 70e9, 1.4e12),
    Published("Llama 2 70B", 2023, 70e9, 2.0e12),
    Published("Llama 3 8B", 2024, 8e9, 15e12),
    Published("Llama 3.1 405B", 2024, 405e9, 15.6e12),
)


def draw_rotation(
    q: Float[ndarray, " two"],
    k: Float[ndarray, " two"],
    distance: int,
    firsts: Sequence[int],
) -> Picture:
    """A query and the key `distance` tokens earlier, turned by their positions.

    firsts  positions of the key, one panel each after that of the two as they were made
    """
    fig, axes = figure(9.2, 3.5, 1, 1 + len(firsts))
    reach = 1.35 * max(np.linalg.norm(q), np.linalg.norm(k))
    scores = []
    for ax, first in zip(axes, (None, *firsts), strict=True):
        m, n = (0, 0) if first is None else (first, first + distance)
        key, query = _turned(k, m), _turned(q, n)
        scores.append(f"{key @ query:.2f}")
        words = ("", "") if first is None else (f" at {m}", f" at {n}")
        _arrow(ax, key, ORANGE, f"key{words[0]}")
        _arrow(ax, query, BLUE, f"query{words[1]}")
        ax.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal")
        ax.set(xlabel="column 1", ylabel="column 2")
        turned = "as made" if first is None else "turned"
        ax.set_title(f"{turned}: score {scores[-1]}".replace("-", "−"))
        ax.axhline(0, color=GREY, linewidth=0.6)
        ax.axvline(0, color=GREY, linewidth=0.6)
        box = {"frameon": True, "framealpha": 1, "edgecolor": "white"}
        ax.legend(loc="lower left", fontsize=10, **box)
    return fig, (
        "A query and a key as arrows in the plane. As they were made their score is "
        f"{scores[0]}. Turned by their positions, {distance} apart, with the key at "
        f"{' and at '.join(map(str, firsts))}, the arrows point elsewhere each time; "
        f"the scores are {' and '.join(scores[1:])}."
    )


def _turned(v: ndarray, m: int) -> ndarray:
    return np.array([[np.cos(m), -np.sin(m)], [np.sin(m), np.cos(m)]]) @ v


def _arrow(ax: Axes, end: ndarray, colour: str, label: str) -> None:
    ax.plot([0, end[0]], [0, end[1]], color=colour, linewidth=2.5, label=label)
    ax.plot(*end, "o", color=colour, markersize=9)


def draw_scores(scores: Mapping[str, Float[ndarray, "N N"]]) -> Picture:
    """Scores of one query with one key, for every place of either, side by side."""
    fig, axes = figure(8.6, 3.7, 1, len(scores))
    limit = max(abs(values).max() for values in scores.values())
    images = []
    for ax, (name, values) in zip(axes, scores.items(), strict=True):
        images.append(heat_map(ax, values, limit=limit))
        ax.set(title=name, xlabel="position of the key", ylabel="position of the query")
    fig.colorbar(images[0], ax=axes, label="score", shrink=0.85)
    return fig, (
        "Scores of the same query with the same key at all pairs of positions. Turned, "
        "every diagonal has one colour: the score depends on the distance. With "
        "sinusoids added the colours change along the diagonals."
    )


def draw_law(
    rows: Sequence[Row],
    law: Law,
    counted: Mapping[int, float],
    held_out: Sequence[Row] = (),
) -> Picture:
    """Loss against size, one colour a budget; the held-out model with its prediction.

    counted  the loss of counting the same number of letters, a short dash each
    """
    budgets = sorted({row.letters for row in rows})
    fig, ax = figure(8.4, 4.6)
    sizes = [row.size for row in (*rows, *held_out)]
    N = np.geomspace(min(sizes) * 0.85, 7e5, 200)
    for D, colour in zip(budgets, COLOURS, strict=False):
        here = [row for row in rows if row.letters == D]
        ax.plot([r.size for r in here], [r.test for r in here], "o", color=colour, ms=6)
        label = f"{D / 1e6:.2f} million letters"
        ax.plot(N, law(N, np.full_like(N, D)), color=colour, linewidth=1.5, label=label)
        if D in counted:
            ax.plot([7.4e5, 9.4e5], [counted[D]] * 2, color=colour, linewidth=3)
        for row in held_out:
            if row.letters == D:
                ax.plot(row.size, row.test, "*", color=colour, ms=15, mec="white")
    if counted:
        ax.text(9.9e5, np.mean([*counted.values()]), "Kneser-\nNey", va="center")
    if held_out:
        ax.plot([], [], "*", color=GREY, ms=13, label=f"width {HELD_OUT}, held out")
    ax.set(xscale="log", xlabel="N, parameters without the embedding")
    ax.set(ylabel="nats a letter, test plays", xlim=(min(N), 1.9e6))
    ax.legend(loc="lower left", fontsize=10)
    low = min(row.test for row in (*rows, *held_out))
    return fig, (
        f"Loss against size on a logarithmic axis, {len(budgets)} budgets of letters: "
        "it falls with size, more steeply where more is read, and flattens to the "
        f"right. Lowest measured loss {low:.2f}."
        + (" Stars for the held-out model lie near the lines." if held_out else "")
    )


def draw_few(few: Sequence[Row], fresh: Sequence[Row]) -> Picture:
    """Reading the same letters again and again, beside reading new ones."""
    fig, axes = figure(8.6, 3.6, 1, 2)
    kinds = ("new letters only", fresh), ("the same 65,536 again", few)
    low = min(min(r.training, r.test) for r in (*few, *fresh)) - 0.08
    high = max(max(r.training, r.test) for r in (*few, *fresh)) + 0.08
    for ax, (title, rows) in zip(axes, kinds, strict=True):
        ordered = sorted(rows, key=lambda row: row.size)
        sizes = [row.size for row in ordered]
        for name, style, colour in (("test", "o-", BLUE), ("training", "s--", ORANGE)):
            values = [getattr(row, name) for row in ordered]
            ax.plot(sizes, values, style, color=colour, label=f"{name} plays")
        ax.set(xscale="log", title=title, ylim=(low, high))
        ax.set(xlabel="N", ylabel="nats a letter")
    axes[0].legend(loc="lower left")
    return fig, (
        "Training and test loss against size. With new letters both fall together; "
        "with the same letters again and again the training loss falls far below, "
        "and the test loss stops falling."
    )


def draw_budget(
    rows: Sequence[Row],
    compute: Mapping[tuple[int, int], float],
    law: Law,
    flops: Callable[[ndarray, ndarray], ndarray],
    power: float = 11.0,
) -> Picture:
    """Loss against compute, and which split of a budget of 10^power is best.

    compute  (width, letters) -> operations of the training run
    flops    N, D -> operations, for the curve of all splits of the budget
    """
    fig, (left, right) = figure(9.2, 4.0, 1, 2)
    C = 10**power
    N = np.geomspace(1e3, 1e7, 300)
    D = C / flops(N, np.ones_like(N))
    split = law(N, D)
    best = int(split.argmin())
    widths = sorted({row.width for row in rows})
    for width, colour in zip(widths, _shades(len(widths)), strict=True):
        here = sorted(
            (compute[row.width, row.letters], row.test)
            for row in rows
            if row.width == width
        )
        spent, losses = zip(*here, strict=True)
        left.plot(spent, losses, "o-", color=colour, ms=4, linewidth=1, label=width)
    x = np.geomspace(3e9, 1e13, 90)
    edge = [law(N, c / flops(N, np.ones_like(N))).min() for c in x]
    left.plot(x, edge, color=INK, linewidth=1.5, linestyle="--", label="best split")
    left.axvline(C, color=ORANGE)
    left.plot(C, split[best], "o", color=ORANGE, ms=9)
    left.set(xscale="log", xlabel="C, operations", ylabel="nats a letter, test plays")
    left.set(ylim=(1.5, 2.75), xlim=(x[0], x[-1]), title="loss against compute")
    left.legend(loc="upper right", fontsize=9, title="width", title_fontsize=9, ncols=2)
    right.plot(N, split, color=ORANGE)
    right.plot(N[best], split[best], "o", color=ORANGE, ms=9)
    right.set(
        xscale="log", ylim=(1.1, 3.2), xlabel="N", ylabel="nats a letter by the fit"
    )
    right.set_title(rf"all splits of $10^{{{power:g}}}$")
    found = [f"N = {_round(N[best])}", f"D = {_round(D[best])}"]
    found.append(f"{D[best] / N[best]:,.0f} letters per weight")
    note = "\n".join(found)
    right.text(0.5, 0.03, note, transform=right.transAxes, va="bottom", ha="center")
    return fig, (
        f"Loss against compute for every width, with the best split as a dashed line. "
        f"A budget of 10 to the {power:g} operations is best spent on "
        f"{', '.join(found)}; the fit then says {split[best]:.2f} nats."
    )


def _shades(count: int) -> list[str]:
    base = (YELLOW, ORANGE, PURPLE, SKY, GREEN, BLUE, INK)
    return [base[i % len(base)] for i in range(count)]


def _round(value: float) -> str:
    """Two digits, with the word for its size."""
    for size, word in ((1e9, " billion"), (1e6, " million"), (1e3, " thousand")):
        if value >= size:
            return f"{float(f'{value / size:.2g}'):g}{word}"
    return f"{value:.2g}"
