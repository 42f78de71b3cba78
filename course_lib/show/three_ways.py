"""Pictures of lecture 10b: who sees whom in three kinds of layers, and the costs."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes

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

LAYERS = {  # the same colour for a layer in both pictures
    "RNN": BLUE,
    "LSTM": SKY,
    "LSTM, forget bias 1": GREEN,
    "convolution": ORANGE,
    "self-attention": PURPLE,
}
Lines = Mapping[str, tuple[Sequence[float], Sequence[float]]]  # name -> x, y


def draw_wiring(seen: Mapping[str, np.ndarray]) -> Picture:
    """Inputs below, outputs above, a line where one depends on the other.

    seen  name -> (N, N), entry [n, m]: output n depends on input m
    """
    fig, axes = figure(9.6, 2.9, 1, len(seen))
    told, N = [], len(next(iter(seen.values())))
    for ax, (name, matrix) in zip(np.atleast_1d(axes), seen.items(), strict=True):
        _wire(ax, np.asarray(matrix) > 0)
        ax.set_title(name, fontsize=13)
        told.append(f"{name} {int(np.sum(np.asarray(matrix)[-1] > 0))}")
    alt = (
        f"Inputs below, outputs above, a line for each dependence, those of the last "
        f"output in orange. Of {N} inputs the last output sees: "
        + ", ".join(told)
        + "."
    )
    return fig, alt


def _wire(ax: Axes, seen: np.ndarray) -> None:
    N = len(seen)
    for n, m in np.argwhere(seen):
        last = n == N - 1
        (line,) = ax.plot([m, n], [0, 1], color=ORANGE if last else GREY)
        line.set(linewidth=2 if last else 0.8, zorder=2 if last else 1)
    ax.plot(range(N), [0] * N, "o", color=GREEN, markersize=10, zorder=3)
    ax.plot(range(N), [1] * N, "o", color=PURPLE, markersize=10, zorder=3)
    ax.text(-0.6, 0, "$x$", ha="right", va="center", fontsize=14, color=GREEN)
    ax.text(-0.6, 1, "$y$", ha="right", va="center", fontsize=14, color=PURPLE)
    ax.set(xlim=(-1.3, N - 0.4), ylim=(-0.2, 1.2))
    ax.set_axis_off()


def draw_fading(size: Lines) -> Picture:
    """How strongly the last output depends on an input k positions back."""
    fig, ax = figure(8, 3.2)
    for name, (x, y) in size.items():
        ax.plot(x, y, color=LAYERS.get(name, INK), label=name)
    ax.set(xlabel="distance $k$", ylabel="derivative, relative", yscale="log")
    fig.legend(loc="outside right upper")
    alt = (
        "Size of the derivative of the last output by the input k positions back, on a "
        "log scale: that of the RNN falls on a line by dozens of orders of magnitude, "
        "that of a fresh LSTM by about half as many, with open forget gates by about a "
        "quarter as many; that of self-attention stays."
    )
    return fig, alt


def draw_times(times: Lines) -> Picture:
    """Milliseconds against length, on doubly logarithmic axes."""
    fig, ax = figure(8, 3.2)
    for name, (x, y) in times.items():
        ax.plot(x, y, "o-", color=LAYERS.get(name, INK), label=name)
    lengths = next(iter(times.values()))[0]
    ax.set(xlabel="length $N$", ylabel="milliseconds", xscale="log", yscale="log")
    ax.set_xticks(lengths, [str(N) for N in lengths])
    ax.minorticks_off()
    fig.legend(loc="outside right upper")
    alt = (
        "Processor time of three layers against the length, on doubly logarithmic "
        "axes, where slope 1 is N and slope 2 is N squared."
    )
    return fig, alt
