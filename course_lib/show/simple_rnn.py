"""Drawn networks: the unrolled RNN, and its forward and backward pass step by step."""

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch
from matplotlib.path import Path

from course_lib.show.boxes import arrow, box, canvas
from course_lib.show.plots import BLUE, GREEN, GREY, INK, ORANGE, PURPLE, Picture

# the small computation that `draw_rnn_steps` goes through: h_t = tanh(w h_{t-1} + x_t)


# the small computation that `draw_rnn_steps` goes through: h_t = tanh(w h_{t-1} + x_t)
INPUTS = np.array([1.0, -0.5, 0.3, 0.8])


TARGETS = np.array([0.5, 0.5, -0.5, 0.0])


START = 0.5


def unrolled_rnn(steps: int = 3) -> Picture:
    """The loop on the left, the same network unrolled over time on the right."""
    fig, ax = canvas(9.5, 3.2, 2.1 + 1.3 * steps + 0.7, -1.3, 1.3)
    for x, t in [(0.0, "t"), *((2.8 + 1.3 * n, str(n + 1)) for n in range(steps))]:
        box(ax, x, -1, f"$x_{t}$", GREEN)
        box(ax, x, 0, f"$h_{t}$", BLUE)
        box(ax, x, 1, f"$y_{t}$", PURPLE)
        arrow(ax, (x, -0.78), (x, -0.22), INK, "$W_x$", (0.22, 0))
        arrow(ax, (x, 0.22), (x, 0.78), INK, "$W_y$", (0.22, 0))
        if t != "t":
            arrow(ax, (x - 0.97, 0), (x - 0.33, 0), BLUE, "$W_h$")
    curve = Path([(0.33, 0.1), (0.95, 0.6), (0.95, -0.6), (0.33, -0.1)], [1, 4, 4, 4])
    style = {"mutation_scale": 14, "color": BLUE, "linewidth": 1.8}
    ax.add_patch(FancyArrowPatch(path=curve, arrowstyle="-|>", **style))
    ax.text(0.99, 0, "$W_h$", color=BLUE, fontsize=11, ha="center", va="center")
    box(ax, 1.6, 0, "$h_0$", BLUE, filled=False)
    alt = (
        "Left, the network as a loop: input x, state h with an arrow to itself, "
        f"output y. Right, unrolled over {steps} steps: every state feeds "
        "the next through the same matrix W_h."
    )
    return fig, alt


@dataclass(frozen=True)
class Trace:
    """Every number of one forward and backward pass of the scalar network."""

    h: np.ndarray  # (T + 1,), starting with h_0
    losses: np.ndarray  # (T,)
    direct: np.ndarray  # (T,) partial derivative of L_t by h_t
    g: np.ndarray  # (T,) total derivative of L by h_t
    dL_dw: np.ndarray  # (T,) what has been collected of dL/dw when g_t is known


def rnn_trace(w: float) -> Trace:
    r"""Run $h_t = \tanh(w h_{t-1} + x_t)$, $L_t = (h_t - \hat y_t)^2 / 2$, and back."""
    steps = len(INPUTS)
    h = np.empty(steps + 1)
    h[0] = START
    for t in range(steps):
        h[t + 1] = np.tanh(w * h[t] + INPUTS[t])
    direct = h[1:] - TARGETS
    g, dL_dw = np.empty(steps), np.empty(steps)
    carried = collected = 0.0
    for t in reversed(range(steps)):
        g[t] = direct[t] + carried
        delta = g[t] * (1 - h[t + 1] ** 2)
        collected += delta * h[t]
        dL_dw[t] = collected
        carried = delta * w
    return Trace(h, direct**2 / 2, direct, g, dL_dw)


def draw_rnn_steps(step: int, w: float) -> Picture:
    """The scalar network after `step` steps: 1..T go forwards, T + 1..2T backwards."""
    steps = len(INPUTS)
    trace = rnn_trace(w)
    fig, ax = canvas(9.5, 4.2, 1.55 * steps + 0.9, -1.75, 1.9)
    box(ax, 0, 0, f"{trace.h[0]:.2f}", BLUE)
    ax.text(0, 0.42, "$h_0$", ha="center", color=INK)
    for t in range(1, steps + 1):
        x = 1.55 * t
        done = t <= step
        back = step > steps and t > 2 * steps - step
        _draw_column(ax, trace, t, x, done)
        if back:
            _draw_gradient(ax, trace, t, x)
    ax.text(-0.5, 1.72, _caption(trace, step, w), va="center", color=INK, fontsize=12.5)
    return fig, f"Scalar recurrent network, step {step}: {_caption(trace, step, w)}"


def _draw_column(ax: Axes, trace: Trace, t: int, x: float, done: bool) -> None:
    """Input, state and loss of time t; numbers only where the forward pass has been."""
    colour = BLUE if done else GREY
    box(ax, x, -1.3, f"{INPUTS[t - 1]:+.1f}", GREEN)
    box(ax, x, 0, f"{trace.h[t]:.2f}" if done else "?", BLUE, done)
    box(ax, x, 1.2, f"{trace.losses[t - 1]:.2f}" if done else "?", PURPLE, done)
    arrow(ax, (x - 1.22, 0), (x - 0.33, 0), colour)
    arrow(ax, (x, -1.07), (x, -0.22), colour)
    arrow(ax, (x, 0.22), (x, 0.98), colour)
    ax.text(x - 0.42, -1.3, f"$x_{t}$", ha="right", va="center", color=INK)
    ax.text(x + 0.38, 0.3, f"$h_{t}$", ha="center", color=INK)
    ax.text(x + 0.42, 1.2, f"$L_{t}$", ha="left", va="center", color=INK)


def _draw_gradient(ax: Axes, trace: Trace, t: int, x: float) -> None:
    """The orange arrows of time t: from the loss above, and on to the step before."""
    arrow(
        ax,
        (x - 0.14, 0.98),
        (x - 0.14, 0.22),
        ORANGE,
        f"{trace.direct[t - 1]:+.2f}",
        (-0.3, 0),
    )
    arrow(ax, (x - 0.33, -0.13), (x - 1.22, -0.13), ORANGE)
    label = f"$g_{t}$ = {trace.g[t - 1]:+.2f}"
    ax.text(x + 0.12, -0.5, label, ha="left", va="center", color=ORANGE, fontsize=12)


def _caption(trace: Trace, step: int, w: float) -> str:
    steps = len(INPUTS)
    if step <= steps:
        loss = trace.losses[:step].sum()
        return f"w = {w:.1f}.  Forward, {step} of {steps}.  Loss so far {loss:.3f}"
    t = 2 * steps - step
    return (
        f"w = {w:.1f}.  Loss {trace.losses.sum():.3f}.  Backward, {step - steps} of "
        f"{steps}.  dL/dw so far {trace.dL_dw[t]:+.3f}"
    )
