"""Figures of lecture 02: what was measured, and BPTT step by step."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter, ScalarFormatter

from course_lib.show.boxes import arrow, box, canvas
from course_lib.show.plots import (
    BLUE,
    GREEN,
    GREY,
    INK,
    ORANGE,
    PURPLE,
    SEQUENTIAL,
    Picture,
    figure,
)

# the small computation that `draw_rnn_steps` goes through: h_t = tanh(w h_{t-1} + x_t)
INPUTS = np.array([1.0, -0.5, 0.3, 0.8])
TARGETS = np.array([0.5, 0.5, -0.5, 0.0])
START = 0.5


def draw_traces(traces: Mapping[float, np.ndarray]) -> Figure:
    """What is left of a pulse after each step, one curve for each recurrent weight."""
    fig, ax = figure(8, 3.2)
    for (w_h, trace), colour in zip(
        traces.items(), (BLUE, GREEN, ORANGE), strict=False
    ):
        steps = range(1, len(trace) + 1)
        ax.plot(steps, trace, "o-", color=colour, label=f"$w_h = {w_h}$")
    ax.set(xlabel="time step $t$", ylabel="change of $h_t$", ylim=(0, 1))
    ax.legend(title="a pulse at $t = 1$", loc="upper right", ncols=3)
    return fig


def draw_letter_losses(line: str, losses: np.ndarray) -> Figure:
    """One bar a letter: what the network paid for not knowing it."""
    fig, ax = figure(10, 2.8)
    ax.bar(range(len(line)), losses, color=PURPLE)
    names = [{" ": "␣", "\n": "↵"}.get(letter, letter) for letter in line]
    ax.set_xticks(range(len(line)), names, fontsize=13)
    ax.tick_params(axis="x", length=0)
    ax.margins(x=0.01)
    ax.set(xlabel="the letter that came next", ylabel="loss $L_t$ (nats)")
    return fig


def draw_sizes(
    sizes: np.ndarray, rows: Sequence[str], xlabel: str, ylabel: str, bar: str
) -> Figure:
    """Positive numbers by row and time as colours on a log scale; zeros stay white."""
    steps = sizes.shape[1]
    fig, ax = figure(8, 1.5 + 0.35 * len(sizes))
    shown = np.ma.masked_equal(sizes, 0)
    norm = LogNorm(shown.min(), shown.max())
    image = ax.imshow(shown, cmap=SEQUENTIAL, norm=norm, aspect="auto")
    ax.spines[:].set_visible(False)
    every = 1 if steps <= 10 else 5
    ticks = [t - 1 for t in range(1, steps + 1) if t == 1 or t % every == 0]
    ax.set_xticks(ticks, [t + 1 for t in ticks])
    ax.set_yticks(range(len(rows)), rows)
    ax.set(xlabel=xlabel, ylabel=ylabel)
    fig.colorbar(image, label=bar)
    return fig


def draw_lags(sizes: np.ndarray) -> Figure:
    """The size of each term of the gradient, by how far back it reaches."""
    fig, ax = figure(8, 3.2)
    ax.bar(range(len(sizes)), sizes, color=ORANGE)
    ax.set(xlabel=r"lag $t - \tau$ (steps back in time)", yscale="log")
    ax.set_ylabel("size of the term (log scale)")
    return fig


def draw_tangents(curves: Sequence[tuple]) -> Figure:
    """(name, values, losses, value, slope) of single weights: the loss, the tangent."""
    fig, axes = figure(9, 3.2, columns=len(curves))
    for ax, (name, values, losses, here, slope) in zip(axes, curves, strict=True):
        at_here = np.interp(here, values, losses)
        near = np.abs(values - here) < 0.7
        ax.plot(values, losses, color=PURPLE)
        ax.plot(values[near], at_here + slope * (values[near] - here), color=ORANGE)
        ax.plot(here, at_here, "o", color=INK)
        ax.set(xlabel=name, ylabel="loss", title=f"slope {slope:+.2f}")
    return fig


def draw_context(cut: np.ndarray, whole: np.ndarray, n_grams: np.ndarray) -> Figure:
    """Loss after so many letters of context, with the whole past, and of n-grams."""
    fig, ax = figure(8, 3.6)
    contexts = np.arange(1, len(cut) + 1)
    ax.plot(contexts, cut, "-", color=BLUE, label="RNN, state zero before them")
    ax.plot(contexts, whole, "--", color=ORANGE, label="RNN, its whole past")
    orders = np.arange(1, len(n_grams))  # an n-gram sees n - 1 letters
    label = "n-gram (2 to 6)"
    ax.plot(orders, n_grams[1:], "o", color=GREEN, label=label, markersize=8)
    ax.set(xscale="log", xlabel="letters of context", ylabel="nats per letter")
    ax.set_xticks([1, 2, 3, 4, 5, 10, 20, 50])
    ax.xaxis.set_major_formatter(ScalarFormatter())
    ax.xaxis.set_minor_formatter(NullFormatter())
    ax.legend()
    return fig


def draw_truncation(Ks: Sequence[int], errors: np.ndarray) -> Figure:
    """Errors (networks, 2, K) of both truncations: every network, and the mean."""
    fig, ax = figure(8, 3.4)
    names = "window: $K$ terms for every loss", "chunks: detach() every $K$ steps"
    for kind, (name, colour) in enumerate(zip(names, (BLUE, ORANGE), strict=True)):
        faint = {"alpha": min(0.2, 6 / len(errors)), "linewidth": 1}
        ax.plot(Ks, errors[:, kind].T, color=colour, **faint)
        mean = errors[:, kind].mean(axis=0)
        ax.plot(Ks, mean, "o-", color=colour, label=name, linewidth=2.5, zorder=3)
    ax.set(xlabel="$K$ (steps)", ylim=(0, None))
    ax.set_ylabel("error relative to\nthe full gradient")
    ax.legend(title=f"mean, and each of {len(errors)} networks")
    return fig


@dataclass(frozen=True)
class Trace:
    """Every number of one forward and backward pass of the scalar network."""

    h: np.ndarray  # (T + 1,), starting with h_0
    losses: np.ndarray  # (T,)
    direct: np.ndarray  # (T,) partial derivative of L_t by h_t
    g: np.ndarray  # (T,) total derivative of L by h_t
    dL_dw: np.ndarray  # (T,) what has been collected of dL/dw when g_t is known


def rnn_trace(w: float) -> Trace:
    r"""Run $h_t = \tanh(w h_{t-1} + x_t)$, $L_t = (h_t - y^*_t)^2 / 2$, and back."""
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
    ax.text(x + 0.42, 1.3, f"$L_{t}$", ha="left", va="center", color=INK)
    target = f"$y^*_{t}$ {TARGETS[t - 1]:+.1f}"
    ax.text(x + 0.42, 1.02, target, ha="left", va="center", color=INK, fontsize=9)


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
