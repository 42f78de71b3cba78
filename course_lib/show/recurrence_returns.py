"""Pictures of lecture 17: the scan round by round, starts, clocks, the whole circle."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch, Rectangle

from course_lib.models.scan import affine
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


def joined(a: np.ndarray, b: np.ndarray, rounds: int) -> list[tuple]:
    """The pairs (a, b) of all cells, before and after each round of doubling."""
    pairs = [(a, b)]
    for k in range(rounds):
        a, b, n = *pairs[-1], 2**k
        later = affine((a[:-n], b[:-n]), (a[n:], b[n:]))
        whole = [np.concatenate([x[:n], y]) for x, y in zip((a, b), later, strict=True)]
        pairs.append((whole[0], whole[1]))
    return pairs


INPUTS = np.array([4.0, 2, 1, 3, 2, 5, 1, 2])
GATES = {
    "all 0.5": np.full(8, 0.5),
    "all 1 (running sums)": np.ones(8),
    "0 at step 5 (forget all)": np.array([0.5, 0.5, 0.5, 0.5, 0, 0.5, 0.5, 0.5]),
}


def draw_scan(rounds: int = 3, gates: str = "all 0.5") -> Picture:
    """Rows are rounds, columns steps; a cell names its stretch and holds its pair."""
    length, needed = len(INPUTS), 3
    first = covered(length, rounds)
    pairs, steps = joined(GATES[gates], INPUTS, rounds), list(range(1, length + 1))
    fig, ax = figure(10.5, 5.2)
    for row, (start, pair) in enumerate(zip(first, pairs, strict=True)):
        for t, low, a, b in zip(steps, start, *pair, strict=True):
            done = low == 1
            ax.add_patch(_cell(t, row, BLUE if done else "white"))
            name = f"{low}–{t}" if low < t else f"{t}"
            look = {"ha": "center", "va": "center", "color": "white" if done else INK}
            ax.text(t, row - 0.13, name, fontsize=10, weight="bold", **look)
            gate = f"{a:.3g}" if a == 0 or a > 0.01 else f"{a:.2g}"  # what fits in
            ax.text(t, row + 0.13, f"{gate}, {b:.3g}", fontsize=10, **look)
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
    ends = ", ".join(f"{b:.3g}" for b in pairs[-1][1][first[-1] == 1])
    alt = (
        f"A scan over {length} steps after {rounds} of {needed} rounds, gates {gates}. "
        f"Each cell joins its own stretch with the one that ends where it begins; "
        f"{ready} of {length} cells reach back to step 1 and hold the states {ends}."
    )
    return fig, alt


def _cell(x: float, y: float, colour: str) -> FancyBboxPatch:
    look = {"facecolor": colour, "edgecolor": INK, "linewidth": 0.6}
    style = "round,pad=0,rounding_size=0.1"
    return FancyBboxPatch((x - 0.4, y - 0.29), 0.8, 0.58, boxstyle=style, **look)


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
        axes[-1].plot(kept.mean(axis=0), color=colour)
        _named(axes[-1], kept.mean(axis=0), name, colour)
        told.append(f"{name}: {kept.mean(axis=0)[-1]:.1e} after {length} steps")
    axes[-1].set(xlabel="steps", ylabel="mean of |λ| to the power", yscale="log")
    axes[-1].set(ylim=(1e-4, 2), title="what is left")
    alt = "Eigenvalues of two starts in the unit disc, and the mean of their powers. "
    return fig, alt + "; ".join(told) + "."


def _named(ax: Axes, left: np.ndarray, name: str, colour: str) -> None:
    """A curve's name under its upper part, or where it leaves the picture."""
    high = left[len(left) // 2] > 0.1
    at = (len(left) // 6, 0.15) if high else (len(left) // 4, left[len(left) // 4])
    ax.annotate(name, at, (4, 3), textcoords="offset points", color=colour, fontsize=10)


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
        ax.annotate(
            "guessing",
            (guess, -0.75),
            (4, 0),
            textcoords="offset points",
            va="center",
            fontsize=10,
        )
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
    low.set(xlabel="step", ylabel=f"{states.shape[1]} state numbers")
    blank = np.array([letter == "·" for letter in letters])
    moves = np.abs(np.diff(states, axis=0)).mean(axis=1)  # from each step to the next
    kept = _more(gates[blank], gates[~blank])
    moved = _more(moves[blank[1:]], moves[~blank[1:]])
    alt = (
        "A trained selective layer over one sequence: the share of gates above 0.95 "
        f"is {kept} at blanks than at symbols and question marks, and the state's "
        f"moves are {moved} there."
    )
    return fig, alt


def _more(first: np.ndarray, second: np.ndarray) -> str:
    """How the means compare, in a word that no processor changes."""
    larger = first.mean() > second.mean()
    return "larger" if larger else "smaller"


def draw_recall(
    numbers: Sequence[int],
    panels: Mapping[str, Mapping[str, np.ndarray]],
    guess: float,
) -> Picture:
    """A panel for each title; a line for each way, every seed a point."""
    fig, axes = figure(11, 4, columns=len(panels))
    axes, told = np.atleast_1d(axes), []
    for ax, (title, ways) in zip(axes, panels.items(), strict=True):
        for n, ((way, right), colour) in enumerate(
            zip(ways.items(), STRIPES, strict=False)
        ):
            look = {"color": colour, "lw": 4.5 - n, "ls": ("-", "--", "-", "-.")[n % 4]}
            ax.plot(numbers, 100 * right.mean(axis=0), label=way, **look)
            for row in right:
                ax.plot(numbers, 100 * row, "o", color=colour, ms=3)
            told.append(f"{title}, {way}: {100 * right.mean(axis=0)[-1]:.0f} %")
        _pairs_axis(ax, numbers, title, guess)
    fig.legend(*axes[0].get_legend_handles_labels(), loc="outside upper left", ncols=5)
    alt = f"Right answers against the pairs told. At {numbers[-1]} pairs: "
    return fig, alt + "; ".join(told) + "."


def _pairs_axis(ax: Axes, numbers: Sequence[int], title: str, guess: float) -> None:
    ax.axhline(100 * guess, color=GREY, ls="--", lw=1)
    ax.text(numbers[0], 100 * guess + 1.5, "guessing", fontsize=10)
    ax.set(xscale="log", xlabel="pairs told", ylabel="right answers (%)", title=title)
    ax.set(ylim=(0, 104))
    ax.set_xticks(numbers, [str(n) for n in numbers])
    ax.minorticks_off()


def draw_writing(tokens: Sequence[int], held: Mapping[str, Sequence[float]]) -> Picture:
    """Kilobytes between two tokens, against the tokens written so far."""
    fig, ax = figure(8, 3.2)
    for (name, bytes_held), colour in zip(held.items(), (ORANGE, BLUE), strict=True):
        ax.plot(tokens, np.asarray(bytes_held) / 1024, color=colour)
        at = (tokens[-1], bytes_held[-1] / 1024)
        ax.annotate(
            name, at, (-4, 5), textcoords="offset points", ha="right", color=colour
        )
    ax.set(xlabel="tokens written", ylabel="kilobytes held", ylim=(0, None))
    ends = "; ".join(f"{name}: {kept[-1]:,} bytes" for name, kept in held.items())
    return (
        fig,
        f"What a model holds after {tokens[-1]} tokens, written one by one. {ends}.",
    )


# name, lecture, what it remembers by, what came with it, training, cost of one more
# token after n, and the picture of its memory: rows and columns of each block
CIRCLE = (
    ("simple RNN", "02", "a vector", "step by step", "constant", [(4, 1)]),
    ("LSTM, GRU", "04, 05", "a gated vector", "step by step", "constant", [(4, 1)] * 2),
    ("encoder-decoder", "07", "one vector", "step by step", "constant", [(4, 1)]),
    ("attention", "08", "all states", "step by step", "grows with n", [(4, 1)] * 5),
    (
        "Transformer",
        "10, 11",
        "all keys, values",
        "all at once",
        "grows with n",
        [(4, 2)] * 4,
    ),
    ("linear attention", "15", "a matrix", "all at once", "constant", [(4, 4)]),
    ("Kalman filter", "16", "a belief", "a scan", "constant", [(4, 1), (4, 4)]),
    ("gated recurrence", "17", "a gated matrix", "a scan", "constant", [(4, 4)]),
)
TURNS = (  # what is gained on the way to the next station
    "gates: it can keep",
    "two of them:\nit can answer",
    "it may look back",
    "no more\nwaiting",
    "a sum in the place\nof the cache",
    "the state\nis uncertain",
    "gates\nthat choose",
    "the first again,\nwithout its tanh",
)


def draw_circle() -> Picture:
    """The way of the course as a ring; every station with its memory drawn."""
    fig, ax = figure(10.5, 9.2)
    count = len(CIRCLE)
    angles = [np.pi / 2 - 2 * np.pi * n / count for n in range(count)]
    for angle, turn in zip(angles, TURNS, strict=True):
        _turn(ax, angle, angle - 2 * np.pi / count, turn)
    for angle, station in zip(angles, CIRCLE, strict=True):
        _station(ax, *_on_ring(angle), station)
    middle = (
        "drawn: what is kept between two tokens\n\n"
        "orange: it grows with the text\nblue: it does not\n"
        "green border: trained without waiting"
    )
    ax.text(0, 0, middle, ha="center", va="center", color=INK, fontsize=11)
    ax.set(xlim=(-4.45, 4.45), ylim=(-4.1, 4.1), aspect="equal")
    ax.axis("off")
    told = "; ".join(f"{n} ({m}, {t}, {c})" for n, _, m, t, c, _ in CIRCLE)
    ways = ", ".join(turn.replace("\n", " ") for turn in TURNS)
    return fig, (
        f"The way of the course as a ring of eight stations: {told}. On the arrows "
        f"from each to the next: {ways}."
    )


def _on_ring(angle: float, size: float = 1.0) -> tuple[float, float]:
    """A point of the ring, or of a smaller one inside of it."""
    return 3.5 * size * np.cos(angle), 3.3 * size * np.sin(angle)


def _turn(ax: Axes, start: float, end: float, words: str) -> None:
    """An arrow along the ring, with its reason inside of it."""
    half = (start + end) / 2
    x, y = zip(*map(_on_ring, np.linspace(start, end, 50)), strict=True)
    ax.plot(x, y, color=GREY, lw=2, zorder=0)
    tip = {"arrowstyle": "-|>", "color": GREY, "lw": 2, "mutation_scale": 18}
    ax.annotate("", _on_ring(half - 0.06), _on_ring(half), arrowprops=tip)
    place = {"ha": "center", "va": "center", "fontsize": 10, "style": "italic"}
    ax.text(*_on_ring(half, 0.68), words, **place)


def _station(ax: Axes, x: float, y: float, station: tuple) -> None:
    name, lecture, memory, training, cost, blocks = station
    colour = ORANGE if cost != "constant" else BLUE
    edge = GREEN if training != "step by step" else GREY
    look = {"facecolor": "white", "edgecolor": edge, "linewidth": 2.5}
    style = "round,pad=0,rounding_size=0.1"
    ax.add_patch(
        FancyBboxPatch((x - 0.85, y - 0.72), 1.7, 1.44, boxstyle=style, **look)
    )
    ax.text(x, y + 0.52, name, ha="center", va="center", fontsize=11, weight="bold")
    words = f"{lecture}: {memory}\n{training}"
    ax.text(x, y - 0.46, words, ha="center", va="center", fontsize=10, color=colour)
    size = 0.12
    left = x - size * (sum(columns for _, columns in blocks) + len(blocks) - 1) / 2
    for rows, columns in blocks:
        for row in range(rows):
            for column in range(columns):
                at = (left + size * column, y + 0.3 - size * (row + 1))
                cell = {"facecolor": colour, "edgecolor": "white", "linewidth": 0.8}
                ax.add_patch(Rectangle(at, size, size, **cell))
        left += size * (columns + 1)
