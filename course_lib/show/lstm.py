"""Pictures of the LSTM: switches, the backward pass, measurements, the gate player.

The gate player takes the network out of the network: the gates are set by hand, step
by step, so that one sees what each of them does to the cell state c and the output h.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes

from course_lib.show.boxes import arrow, box, canvas
from course_lib.show.diagram.roles import colour_of
from course_lib.show.gates_by_hand import STEPS, gate_strip, on_one_axis, pulses
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
)

PULSES = {4: 0.9, 12: 0.6, 20: -0.8}  # the candidates that carry a message
# everything else the cell could write at each step is a nuisance of this size
DISTURBANCE = 0.35

# h and c have the same colours here as in the diagram of the cell
STATE, MEMORY = colour_of("state"), colour_of("memory")

# what a gate can do over time: name -> values at steps 1..STEPS
FORGET_PATTERNS = ("keep (1)", "leak (0.9)", "erase at step 16", "forget (0)")
INPUT_PATTERNS = ("write at 4 and 12", "write at 4 only", "always open", "shut")
OUTPUT_PATTERNS = ("read at 24 to 27", "always open", "half open", "shut")


def gate_values(pattern: str) -> np.ndarray:
    """The values (STEPS,) of one named gate pattern; time is counted from 1."""
    time = np.arange(1, STEPS + 1)
    shapes = {
        "keep (1)": np.ones(STEPS),
        "leak (0.9)": np.full(STEPS, 0.9),
        "erase at step 16": np.where(time == 16, 0.0, 1.0),
        "forget (0)": np.zeros(STEPS),
        "write at 4 and 12": np.isin(time, (4, 12)).astype(float),
        "write at 4 only": (time == 4).astype(float),
        "read at 24 to 27": ((time >= 24) & (time <= 27)).astype(float),
        "always open": np.ones(STEPS),
        "half open": np.full(STEPS, 0.5),
        "shut": np.zeros(STEPS),
    }
    if pattern not in shapes:
        raise ValueError(f"no gate pattern {pattern!r}; there are {sorted(shapes)}")
    return shapes[pattern]


def candidates() -> np.ndarray:
    """c_tilde (STEPS,): three pulses worth keeping in a stream of disturbances."""
    return pulses(PULSES, DISTURBANCE)


@dataclass(frozen=True)
class Playback:
    """One run of a single cell with hand-set gates, time from 1 to STEPS."""

    f: np.ndarray
    i: np.ndarray
    o: np.ndarray
    c_tilde: np.ndarray
    c: np.ndarray
    h: np.ndarray
    reach: np.ndarray  # d c_T / d c_t, the product of the forget gates after t


def play_gates(f: str, i: str, o: str) -> Playback:
    r"""Run $c_t = f_t c_{t-1} + i_t \tilde c_t$, $h_t = o_t \tanh(c_t)$ from c_0 = 0.

    The gates do not depend on h here, so the only way from $c_t$ to $c_T$ is the direct
    one and its derivative is $f_T f_{T-1} \cdots f_{t+1}$.
    """
    f_t, i_t, o_t = gate_values(f), gate_values(i), gate_values(o)
    c_tilde = candidates()
    c, now = np.empty(STEPS), 0.0
    for t in range(STEPS):
        now = f_t[t] * now + i_t[t] * c_tilde[t]
        c[t] = now
    reach = np.ones(STEPS)
    for t in reversed(range(STEPS - 1)):
        reach[t] = reach[t + 1] * f_t[t + 1]
    return Playback(f_t, i_t, o_t, c_tilde, c, o_t * np.tanh(c), reach)


def draw_gate_player(f: str, i: str, o: str) -> Picture:
    """Candidates, gates, cell state and output, and the gradient back from c_T."""
    run = play_gates(f, i, o)
    time = np.arange(1, STEPS + 1)
    fig, axes = figure(9.5, 6.6, rows=4)
    axes[0].bar(time, run.c_tilde, color=MEMORY)
    axes[0].set(ylabel=r"candidate $\tilde c_t$", ylim=(-1, 1))
    gates = {"forget $f$": run.f, "input $i$": run.i, "output $o$": run.o}
    gate_strip(axes[1], gates, "open")
    axes[2].plot(time, run.c, "o-", color=MEMORY, label="$c_t$")
    axes[2].plot(time, run.h, "s-", color=STATE, markersize=4, label="$h_t$")
    axes[2].axhline(0, color=GREY, linewidth=1)
    axes[2].set(ylabel="states")
    axes[2].legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    axes[3].bar(time, run.reach, color=ORANGE)
    axes[3].set(ylabel=r"$dc_T\,/\,dc_t$", ylim=(0, 1.05), xlabel="time step $t$")
    on_one_axis(axes)
    return fig, _describe(f, i, o, run)


def _describe(f: str, i: str, o: str, run: Playback) -> str:
    return (
        f"One cell with gates set by hand (forget: {f}; input: {i}; output: {o}). "
        f"The cell state ends at {run.c[-1]:+.2f} and was at most "
        f"{np.abs(run.c).max():.2f} in size, the output at most "
        f"{np.abs(run.h).max():.2f}; step 4 reaches the end with factor "
        f"{run.reach[3]:.2f}."
    )


def _box(ax: Axes, x: float, y: float, text: str, colour: str) -> None:
    """`box` with dark letters where white ones would be hard to read."""
    dark = colour in (YELLOW, MEMORY)
    box(ax, x, y, "" if dark else text, colour)
    if dark:
        ax.text(x, y, text, ha="center", va="center", color=INK, fontsize=12)


# the backward pass: from, to, what one multiplies by, where its label sits (0 to 1)
_BACK = [
    ("h", "c", r"$o_t\,(1-\tanh^2 c_t)$", 0.5),
    ("h", "o", r"$\tanh c_t$", 0.5),
    ("c", "c_prev", "$f_t$", 0.5),
    ("c", "f", "$c_{t-1}$", 0.5),
    ("c", "i", r"$\tilde c_t$", 0.55),
    ("c", "g", "$i_t$", 0.6),
    ("f", "h_prev", r"$f(1-f),\ W_{hf}$", 0.42),
    ("i", "h_prev", r"$i(1-i),\ W_{hi}$", 0.42),
    ("g", "h_prev", r"$1-\tilde c^2,\ W_{hc}$", 0.42),
    ("o", "h_prev", r"$o(1-o),\ W_{ho}$", 0.42),
]
_PLACES = {
    "c_prev": (0.2, 3.0, "$c_{t-1}$", MEMORY),
    "h_prev": (0.2, 0.4, "$h_{t-1}$", STATE),
    "f": (4.0, 2.1, "$f_t$", YELLOW),
    "i": (4.0, 1.2, "$i_t$", YELLOW),
    "g": (4.0, 0.3, r"$\tilde c_t$", MEMORY),
    "o": (4.0, -0.8, "$o_t$", YELLOW),
    "c": (7.4, 3.0, "$c_t$", MEMORY),
    "h": (7.4, -0.8, "$h_t$", STATE),
}


def backward_diagram() -> Picture:
    """Every arrow of one backward step with the factor that stands on it."""
    fig, ax = canvas(9.5, 5.4, 9.7, -1.6, 3.5)
    for x, y, label, colour in _PLACES.values():
        _box(ax, x, y, label, colour)
    for start, end, label, at in _BACK:
        (x0, y0, *_), (x1, y1, *_) = _PLACES[start], _PLACES[end]
        _back_arrow(ax, (x0, y0), (x1, y1), label, at)
    _box(ax, 9.2, -0.8, "$L_t$", PURPLE)
    arrow(ax, (8.85, -0.8), (7.77, -0.8), ORANGE)
    ax.text(8.3, -1.1, "from its loss", color=ORANGE, ha="center", va="center")
    arrow(ax, (8.85, 0.1), (7.7, -0.55), ORANGE)
    ax.text(8.95, 0.32, "from step\n$t+1$", color=ORANGE, ha="center", va="center")
    arrow(ax, (8.85, 3), (7.77, 3), ORANGE, "$f_{t+1}$", (0, 0.2))
    return fig, (
        "One backward step. Gradients enter at h_t, from its loss and from step t+1, "
        "and at c_t, from c_{t+1}. From h_t they go to o_t and to c_t; from c_t to the "
        "old cell state with factor f_t, and to f_t, i_t and the candidate; from all "
        "four of these through the recurrent weights to the old hidden state."
    )


def _back_arrow(
    ax: Axes,
    start: tuple[float, float],
    end: tuple[float, float],
    label: str,
    at: float,
) -> None:
    """An orange arrow that stops short of both boxes, its label on a white patch."""
    (x0, y0), (x1, y1) = start, end
    if abs(x1 - x0) < 0.1:
        tail, head = (x0, y0 + 0.23), (x1, y1 - 0.23)
    else:
        slope = (y1 - y0) / (x1 - x0)
        tail, head = (x0 - 0.36, y0 - 0.36 * slope), (x1 + 0.36, y1 + 0.36 * slope)
    arrow(ax, tail, head, ORANGE)
    x, y = (1 - at) * tail[0] + at * head[0], (1 - at) * tail[1] + at * head[1]
    patch = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}
    ax.text(x, y, label, ha="center", va="center", color=ORANGE, bbox=patch)


def draw_retention() -> Picture:
    """What is left of a value after k steps, for four gates that stay as they are."""
    fig, ax = figure(8, 3.2)
    steps = np.arange(101)
    for gate, colour in [(0.5, GREY), (0.9, YELLOW), (0.99, SKY), (1.0, BLUE)]:
        ax.plot(steps, gate**steps, color=colour, label=f"$f = {gate}$")
    ax.set(xlabel="steps $k$", ylabel="share that is left, $f^k$", ylim=(0, 1.05))
    ax.legend(title="forget gate", loc="center left", bbox_to_anchor=(1, 0.5))
    return fig, (
        "The share of a stored value that is left after k steps: with a gate of 0.5 or "
        "0.9 almost nothing after 50 steps, with 0.99 about 60 percent, with 1 all."
    )


def draw_squashing() -> Picture:
    """The sigmoid for switches, the tanh for contents."""
    fig, ax = figure(8, 2.8)
    grid = np.linspace(-6, 6, 121)
    sigmoid = 1 / (1 + np.exp(-grid))
    ax.plot(grid, sigmoid, color=YELLOW, label=r"$\sigma(a)$: a switch")
    ax.plot(grid, np.tanh(grid), color=MEMORY, label=r"$\tanh(a)$: a content")
    ax.axhline(0, color=GREY, linewidth=1)
    ax.set(xlabel="pre-activation $a$", ylabel="value")
    ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return fig, (
        "Two curves over the pre-activation from minus 6 to 6: the sigmoid rises from "
        "0 to 1, the tanh, steeper, from minus 1 to 1."
    )


def draw_states(c: np.ndarray, h: np.ndarray) -> Picture:
    """Two panels on one scale: where the entries of c and of h lie."""
    fig, axes = figure(8.5, 3.4, rows=2)
    edge = int(np.ceil(np.abs(c).max()))
    bins = np.linspace(-edge, edge, 20 * edge + 1)
    for ax, values, name, colour in [
        (axes[0], c, "c_t", MEMORY),
        (axes[1], h, "h_t", STATE),
    ]:
        ax.hist(values.ravel(), bins, color=colour, density=True)
        ax.axvspan(-1, 1, color=GREY, alpha=0.15)
        ax.set(ylabel=f"density of ${name}$", yscale="log", xlabel="value")
    low, high = zip(*(ax.get_ylim() for ax in axes), strict=True)
    for ax in axes:
        ax.set_ylim(min(low), max(high))
    axes[0].tick_params(labelbottom=False)
    axes[0].set(xlabel="")
    axes[0].set_xlabel(" ", fontsize=2)
    return fig, (
        "Two histograms over the entries of a random LSTM's states, grey from minus 1 "
        "to 1: the hidden state stays inside, the cell state has tails well beyond."
    )


def draw_recall(accuracy: Mapping[tuple[str, int], Sequence[float]]) -> Picture:
    """Every network a point: a panel for each gap, a row for each start."""
    gaps = sorted({gap for _, gap in accuracy})
    starts = list(dict.fromkeys(start for start, _ in accuracy))
    fig, axes = figure(10, 3.2, columns=len(gaps))
    for ax, gap in zip(axes, gaps, strict=True):
        for row, start in enumerate(starts):
            values = np.array(accuracy[start, gap])
            offset = np.linspace(-0.22, 0.22, len(values))
            colour = BLUE if start == starts[0] else GREY
            ax.plot(values, row + offset, "o", color=colour, markersize=7)
        ax.axvline(0.25, color=INK, linestyle=":")
        ax.set(xlim=(-0.03, 1.06), title=f"gap {gap}", xlabel="accuracy")
        ax.set_yticks(range(len(starts)), starts if ax is axes[0] else [])
        ax.set(ylim=(len(starts) - 0.5, -0.5), ylabel="start" if ax is axes[0] else " ")
        ax.grid(axis="y", color=GREY, alpha=0.2)
    found = "; ".join(
        f"{start}: " + ", ".join(f"{np.mean(accuracy[start, gap]):.1f}" for gap in gaps)
        for start in starts
    )
    return fig, (
        "Recall accuracy, a point for each network, guessing dotted at 0.25. Means at "
        f"the gaps {', '.join(map(str, gaps))}: {found}."
    )


def draw_reach(curves: Mapping[str, np.ndarray]) -> Picture:
    """How large a gradient is k steps before its loss: every network a thin line."""
    fig, ax = figure(8.5, 3.6)
    for (name, runs), colour in zip(
        curves.items(), (GREY, SKY, BLUE, GREEN, ORANGE), strict=False
    ):
        lags = np.arange(np.shape(runs)[1])
        ax.semilogy(lags, np.transpose(runs), color=colour, linewidth=0.5, alpha=0.6)
        ax.semilogy(lags, np.median(runs, axis=0), color=colour, label=name)
    ax.set(xlabel="steps before the loss", ylabel="size of the gradient,\nrelative")
    ax.set(ylim=(1e-16, 100))
    ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return fig, (
        "Size of the gradient against the steps before its loss, ten networks each, "
        "log scale: with forget bias 5 it hardly falls, with 2 slowly, with 0 and "
        "minus 2 steeply, as for the simple RNN."
    )


def draw_learning(losses: Mapping[str, Sequence[float]], orders: np.ndarray) -> Picture:
    """Training loss, averaged over 50 windows, with the n-grams as lines."""
    fig, ax = figure(8.5, 3.6)
    for (name, values), colour in zip(losses.items(), (BLUE, ORANGE), strict=False):
        smooth = np.convolve(values, np.ones(50) / 50, mode="valid")
        ax.plot(np.arange(len(smooth)) + 50, smooth, color=colour, label=name)
    for order in (2, 3, 5):
        ax.axhline(orders[order - 1], color=GREY, linestyle=":")
        at = {"transform": ax.get_yaxis_transform(), "va": "center", "fontsize": 10}
        ax.text(1.01, orders[order - 1], f"{order}-grams", color=INK, **at)
    ax.set(xlabel="training step (1,600 letters each)", ylabel="nats a letter")
    ax.set(ylim=(1.5, 3), xlim=(0, None))
    ax.legend(loc="upper right")
    return fig, (
        "Training loss of the hand-written LSTM in nats a letter, falling quickly "
        "below the 2-grams and 3-grams; the 5-grams, dotted, stay below it."
    )


def draw_unit(
    c: np.ndarray, h: np.ndarray, letters: np.ndarray, symbols: np.ndarray
) -> Picture:
    """One unit's c and h, (sequences, time), minus their mean at each step."""
    fig, axes = figure(8.5, 4.6, rows=2)
    c, h = c - c.mean(axis=0), h - h.mean(axis=0)
    t = np.arange(1, c.shape[1] + 1)
    for k, colour in enumerate((BLUE, ORANGE, GREEN, YELLOW)):
        for number, row in enumerate(c[letters == k][:6]):
            label = "ABCD"[k] if number == 0 else None
            axes[0].plot(t, row, color=colour, linewidth=1.2, alpha=0.8, label=label)
        which, when = np.nonzero(symbols[:40] == k + 4)
        axes[1].plot(t[when], h[which, when], ".", color=colour, label="stuv"[k])
    for ax, name, title in zip(
        axes, "ch", ("letter at step 1", "symbol read at $t$"), strict=True
    ):
        ax.set(ylabel=f"${name}_t$ minus its\nmean at $t$", xlabel="time step $t$")
        ax.set_xlim(0.5, t[-1] + 0.5)
        ax.legend(title=title, loc="center left", bbox_to_anchor=(1, 0.5))
    return fig, (
        "One unit of a trained LSTM, its mean at each step taken off. The curves of "
        "the cell state keep together by the letter of step 1 for most of the gap; "
        "the points of the hidden state keep together by the symbol that is read."
    )
