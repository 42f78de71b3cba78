"""Pictures of the LSTM: the cell, its backward pass, and the gate player.

The gate player takes the network out of the network: the gates are set by hand, step
by step, so that one sees what each of them does to the cell state c and the output h.
"""

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle

from course_lib.show.boxes import arrow, box, canvas
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

STEPS = 30
PULSES = {4: 0.9, 12: 0.6, 20: -0.8}  # the candidates that carry a message
# everything else the cell could write at each step is a nuisance of this size
DISTURBANCE = 0.35

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
    values = DISTURBANCE * np.random.default_rng(6).uniform(-1, 1, STEPS)
    for step, value in PULSES.items():
        values[step - 1] = value
    return values


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
    axes[0].bar(time, run.c_tilde, color=GREEN)
    axes[0].set(ylabel=r"candidate $\tilde c_t$", ylim=(-1, 1))
    _gate_strip(axes[1], run)
    axes[2].plot(time, run.c, "o-", color=BLUE, label="$c_t$")
    axes[2].plot(time, run.h, "s-", color=SKY, markersize=4, label="$h_t$")
    axes[2].axhline(0, color=GREY, linewidth=1)
    axes[2].set(ylabel="states")
    axes[2].legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    axes[3].bar(time, run.reach, color=ORANGE)
    axes[3].set(ylabel=r"$dc_T\,/\,dc_t$", ylim=(0, 1.05), xlabel="time step $t$")
    for ax in axes:
        ax.set(xlim=(0.4, STEPS + 0.6))
    for ax in axes[:3]:
        ax.tick_params(labelbottom=False)
    return fig, _describe(f, i, o, run)


def _gate_strip(ax: Axes, run: Playback) -> None:
    """Three rows of squares: yellow is open, dark is shut."""
    rows = np.stack([run.f, run.i, run.o])
    heat_map(ax, rows, diverging=False, limit=1.0, extent=(0.5, STEPS + 0.5, 2.5, -0.5))
    ax.set_yticks(range(3), ["forget $f$", "input $i$", "output $o$"])
    ax.set_ylabel("gates\n(yellow: open)")
    for edge in (0.5, 1.5):
        ax.axhline(edge, color="white", linewidth=2)


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
    dark = colour in (YELLOW, SKY)
    box(ax, x, y, "" if dark else text, colour)
    if dark:
        ax.text(x, y, text, ha="center", va="center", color=INK, fontsize=12)


def _node(ax: Axes, x: float, y: float, text: str) -> None:
    """A small circle with an operation in it: times or plus."""
    circle = Circle((x, y), 0.17, facecolor="white", edgecolor=INK, linewidth=1.6)
    ax.add_patch(circle)
    ax.text(x, y, text, ha="center", va="center", color=INK, fontsize=13)


def _line(ax: Axes, *points: tuple[float, float], colour: str = INK) -> None:
    """A line through the points, with an arrow head at its end."""
    xs, ys = zip(*points[:-1], strict=True)
    ax.plot(xs, ys, color=colour, linewidth=1.8, solid_capstyle="round")
    arrow(ax, points[-2], points[-1], colour)


def cell_diagram() -> Picture:
    """The LSTM cell: the cell state runs along the top, three gates act on it."""
    fig, ax = canvas(9.5, 4.6, 8.1, -1.75, 2.75)
    _line(ax, (0.35, 2), (1.33, 2), colour=BLUE)
    _line(ax, (1.67, 2), (3.73, 2), colour=BLUE)
    _line(ax, (4.07, 2), (7.2, 2), colour=BLUE)
    _box(ax, 0, 2, "$c_{t-1}$", BLUE)
    _box(ax, 7.55, 2, "$c_t$", BLUE)
    ax.plot([0.35, 5.6], [-0.9, -0.9], color=INK, linewidth=1.8)
    _box(ax, 0, -0.9, "$h_{t-1}$", SKY)
    _box(ax, 0.7, -1.48, "$x_t$", GREEN)
    ax.plot([0.7, 0.7], [-1.28, -0.9], color=INK, linewidth=1.8)
    for x, name in [(1.5, "f"), (3.0, "i"), (4.6, "c"), (5.6, "o")]:
        label = r"$\tilde c_t$" if name == "c" else f"${name}_t$"
        _line(ax, (x, -0.9), (x, -0.24))
        _box(ax, x, 0, label, GREY if name == "c" else YELLOW)
        squash = "tanh" if name == "c" else r"$\sigma$"
        ax.text(x + 0.12, -0.57, squash, ha="left", va="center", color=INK)
    _line(ax, (1.5, 0.22), (1.5, 1.81))
    _line(ax, (3.0, 0.22), (3.0, 1.0), (3.71, 1.0))
    _line(ax, (4.6, 0.22), (4.6, 1.0), (4.09, 1.0))
    _line(ax, (3.9, 1.19), (3.9, 1.81))
    _line(ax, (6.6, 2), (6.6, 0.2))
    ax.text(6.7, 1.2, "tanh", ha="left", va="center", color=INK)
    _line(ax, (5.9, 0), (6.41, 0))
    _line(ax, (6.79, 0), (7.2, 0), colour=SKY)
    _box(ax, 7.55, 0, "$h_t$", SKY)
    for x, y, sign in [(1.5, 2, "×"), (3.9, 2, "+"), (3.9, 1, "×"), (6.6, 0, "×")]:
        _node(ax, x, y, sign)
    for x, text in [(1.5, "1 forget"), (3.9, "3 update"), (6.6, "4 output")]:
        ax.text(x, 2.5, text, ha="center", va="center", color=INK, fontsize=12)
    ax.text(3.8, 0.45, "2 store", ha="center", va="center", color=INK, fontsize=12)
    return fig, (
        "The LSTM cell. The cell state runs along the top from left to right: it is "
        "multiplied by the forget gate, then the input gate times the candidate is "
        "added. The hidden state is the output gate times the tanh of the new cell "
        "state. All three gates and the candidate read the old hidden state and the "
        "input."
    )


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
    "c_prev": (0.2, 3.0, "$c_{t-1}$", BLUE),
    "h_prev": (0.2, 0.4, "$h_{t-1}$", SKY),
    "f": (4.0, 2.1, "$f_t$", YELLOW),
    "i": (4.0, 1.2, "$i_t$", YELLOW),
    "g": (4.0, 0.3, r"$\tilde c_t$", GREY),
    "o": (4.0, -0.8, "$o_t$", YELLOW),
    "c": (7.4, 3.0, "$c_t$", BLUE),
    "h": (7.4, -0.8, "$h_t$", SKY),
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
