"""Pictures of lecture 17: the scan round by round, starts, clocks, the whole circle."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle

from course_lib.show.plots import (
    BLUE,
    GREEN,
    GREY,
    INK,
    ORANGE,
    PURPLE,
    SKY,
    Picture,
    figure,
)

STRIPES = (BLUE, ORANGE, GREEN, PURPLE, SKY, GREY)


def covered(length: int, rounds: int) -> list[np.ndarray]:
    """The first step that each position has heard of, before and after each round."""
    first = [np.arange(1, length + 1)]
    for k in range(rounds):
        before = np.roll(first[-1], 2**k)
        before[: 2**k] = 1
        first.append(np.where(np.arange(length) < 2**k, first[-1], before))
    return first


def draw_scan(length: int = 8, rounds: int = 3) -> Picture:
    """Rows are rounds, columns steps; a cell names the stretch it holds."""
    needed = int(np.ceil(np.log2(length)))
    rounds = min(rounds, needed)
    first, steps = covered(length, rounds), list(range(1, length + 1))
    fig, ax = figure(10, 1.2 + 0.85 * (needed + 1))
    for row, start in enumerate(first):
        for t, low in zip(steps, start, strict=True):
            done = low == 1
            ax.add_patch(_cell(t, row, BLUE if done else "white"))
            text = f"{low}–{t}" if low < t else f"{t}"
            look = {"color": "white" if done else INK}
            ax.text(t, row, text, ha="center", va="center", fontsize=10, **look)
        if row:
            for t in steps[2 ** (row - 1) :]:
                way = {"arrowstyle": "->", "color": ORANGE, "lw": 1.2}
                start_at = (t - 2 ** (row - 1), row - 0.72)
                ax.annotate("", (t - 0.1, row - 0.3), start_at, arrowprops=way)
    ax.set(xlim=(0.4, length + 0.6), ylim=(needed + 0.45, -0.45))
    ax.set(xlabel="time step", ylabel="round")
    ax.set_xticks(steps)
    ax.set_yticks(range(needed + 1))
    ready = int((first[-1] == 1).sum())
    alt = (
        f"A scan over {length} steps after {rounds} of {needed} rounds. Each cell "
        f"joins its own stretch with the one that ends where it begins; {ready} of "
        f"{length} cells reach back to step 1."
    )
    return fig, alt


def _cell(x: float, y: float, colour: str) -> Circle:
    return Circle((x, y), 0.3, facecolor=colour, edgecolor=INK, linewidth=0.6)


def draw_starts(starts: Mapping[str, np.ndarray], length: int = 200) -> Picture:
    """Eigenvalues in the unit disc, and what is left of a state after some steps."""
    fig, axes = figure(10, 3.4, columns=len(starts) + 1)
    angle, told = np.linspace(0, 2 * np.pi, 200), []
    for ax, (name, lam), colour in zip(axes, starts.items(), STRIPES, strict=False):
        ax.plot(np.cos(angle), np.sin(angle), color=GREY, lw=1)
        ax.plot(np.real(lam), np.imag(lam), "o", color=colour, ms=4)
        ax.set(xlabel="real part", ylabel="imaginary part", aspect="equal", title=name)
        ax.set(xlim=(-1.1, 1.1), ylim=(-1.1, 1.1))
        kept = np.abs(lam)[:, None] ** np.arange(length)
        axes[-1].plot(kept.mean(axis=0), color=colour, label=name)
        told.append(f"{name}: {kept.mean(axis=0)[-1]:.1e} after {length} steps")
    axes[-1].set(xlabel="steps", ylabel="mean of |λ| to the power", yscale="log")
    axes[-1].set(ylim=(1e-4, 2), title="what is left")
    alt = "Eigenvalues of two starts in the unit disc, and the mean of their powers. "
    return fig, alt + "; ".join(told) + "."


def draw_strips(
    groups: Mapping[str, Sequence[float]], xlabel: str, guess: float | None = None
) -> Picture:
    """One line for each group, every run a point."""
    fig, ax = figure(9, 0.9 + 0.42 * len(groups))
    told = []
    for place, (name, values) in enumerate(groups.items()):
        shaken = place + 0.22 * np.linspace(-1, 1, len(values))
        colour = STRIPES[place % len(STRIPES)]
        ax.plot(values, shaken, "o", color=colour, alpha=0.8)
        told.append(f"{name}: {', '.join(f'{v:.3g}' for v in values)}")
    if guess is not None:
        ax.axvline(guess, color=GREY, ls="--", lw=1)
        ax.text(guess, -0.75, "guessing", ha="center", color=INK, fontsize=10)
    ax.set_yticks(range(len(groups)), list(groups))
    ax.set(ylim=(len(groups) - 0.5, -0.95 if guess is not None else -0.5))
    ax.set(xlabel=xlabel, ylabel="model")
    return fig, f"{xlabel}, one point for each run. " + "; ".join(told) + "."


def draw_clock(
    letters: str, gates: np.ndarray, states: np.ndarray, title: str = ""
) -> Picture:
    """Share of gates that keep 95 % at each step, and some numbers of the state."""
    fig, (top, low) = figure(10, 4.2, rows=2)
    steps = np.arange(len(letters))
    top.bar(steps, gates, color=[GREY if x == "·" else BLUE for x in letters])
    top.set(ylabel="gates > 0.95", xlabel="what is read", ylim=(0, 1.05))
    top.set_xticks(steps, letters, fontsize=9)
    top.set_title(title)
    for row, colour in zip(states.T, STRIPES, strict=False):
        low.plot(steps, row, color=colour, lw=1.5)
    low.set(xlabel="step", ylabel="five state numbers")
    alt = (
        "A trained selective layer over one sequence: many more of its gates are above "
        "0.95 at blanks than at symbols and question marks. The state moves little at "
        "blanks and jumps at symbols."
    )
    return fig, alt


def draw_recall(
    numbers: Sequence[int],
    panels: Mapping[str, Mapping[str, np.ndarray]],
    guess: float,
) -> Picture:
    """A panel for each title; a line for each way, every seed a point."""
    fig, axes = figure(11, 3.6, columns=len(panels))
    axes, told = np.atleast_1d(axes), []
    for ax, (title, ways) in zip(axes, panels.items(), strict=True):
        for (way, right), colour in zip(ways.items(), STRIPES, strict=False):
            ax.plot(numbers, 100 * right.mean(axis=0), color=colour, label=way)
            for row in right:
                ax.plot(numbers, 100 * row, "o", color=colour, ms=3)
            told.append(f"{title}, {way}: {100 * right.mean(axis=0)[-1]:.0f} %")
        _pairs_axis(ax, numbers, title, guess)
    axes[0].legend(loc="lower left", fontsize=10)
    alt = f"Right answers against the pairs told. At {numbers[-1]} pairs: "
    return fig, alt + "; ".join(told) + "."


def _pairs_axis(ax: Axes, numbers: Sequence[int], title: str, guess: float) -> None:
    ax.axhline(100 * guess, color=GREY, ls="--", lw=1)
    ax.set(xscale="log", xlabel="pairs told", ylabel="right answers (%)", title=title)
    ax.set(ylim=(0, 104))
    ax.set_xticks(numbers, [str(n) for n in numbers])
    ax.minorticks_off()


# name, lecture, memory, training, cost of one more token after n
CIRCLE = (
    ("simple RNN", "02", "a vector", "step by step", "constant"),
    ("LSTM, GRU", "04, 05", "a vector, gated", "step by step", "constant"),
    ("encoder-decoder", "07", "one vector", "step by step", "constant"),
    ("attention", "08", "all states", "step by step", "grows with n"),
    ("Transformer", "10, 11", "all keys, values", "all at once", "grows with n"),
    ("linear attention", "15", "a matrix, a sum", "all at once", "constant"),
    ("Kalman filter", "16", "a belief", "a scan", "constant"),
    ("gated recurrence", "17", "vector or matrix", "a scan", "constant"),
)


def draw_circle() -> Picture:
    """The way of the course as a ring; every station with its three properties."""
    fig, ax = figure(10, 8.2)
    count, radius = len(CIRCLE), 2.75
    angles = np.pi / 2 - 2 * np.pi * np.arange(count) / count
    ring = np.linspace(0, 2 * np.pi, 300)
    ax.plot(radius * np.cos(ring), radius * np.sin(ring), color=GREY, lw=2, zorder=0)
    for angle, (name, lecture, memory, training, cost) in zip(
        angles, CIRCLE, strict=True
    ):
        x, y = radius * np.cos(angle), radius * np.sin(angle)
        colour = ORANGE if cost != "constant" else BLUE
        edge = GREEN if training != "step by step" else GREY
        words = f"{name}\n{lecture}: {memory}\n{training}\n{cost}"
        box = {"boxstyle": "round,pad=0.45", "fc": "white", "ec": edge, "lw": 2.5}
        ax.text(x, y, words, ha="center", va="center", color=colour, bbox=box)
    middle = (
        "what it remembers by\nhow it goes through a text in training\n"
        "cost of one more token\n\n"
        "orange: it grows with the text\ngreen border: trained in parallel"
    )
    ax.text(0, 0, middle, ha="center", va="center", color=INK, fontsize=11)
    ax.set(xlim=(-4.1, 4.1), ylim=(-3.5, 3.5), aspect="equal")
    ax.axis("off")
    told = "; ".join(f"{n} ({m}, {t}, {c})" for n, _, m, t, c in CIRCLE)
    return fig, f"The way of the course as a ring of eight stations: {told}."
