"""Pictures of lecture 04b: what becomes of a gradient inside the LSTM, path by path."""

from collections.abc import Mapping, Sequence

import numpy as np

from course_lib.show.diagram.roles import colour_of
from course_lib.show.plots import (
    BLUE,
    GREEN,
    GREY,
    INK,
    ORANGE,
    SKY,
    Picture,
    figure,
    heat_map,
)

# h and c have the same colours here as in the diagram of the cell
STATE, MEMORY = colour_of("state"), colour_of("memory")


def draw_paths(matrices: Mapping[str, np.ndarray]) -> Picture:
    """The terms of dc_t/dc_{t-1} and, last, their sum, on one scale."""
    fig, axes = figure(11, 2.9, columns=len(matrices))
    limit = max(np.abs(matrix).max() for matrix in matrices.values())
    images = []
    for ax, (title, matrix) in zip(axes, matrices.items(), strict=True):
        images.append(heat_map(ax, matrix, limit=limit))
        ax.set(title=title, xlabel="$c_{t-1}$", ylabel=" ", xticks=[], yticks=[])
    axes[0].set_ylabel("$c_t$")
    fig.colorbar(images[-1], ax=axes, label="derivative", shrink=0.8)
    return fig, (
        "Heat maps: the direct path is a diagonal of forget gates; the paths through "
        "the forget gate, the input gate and the candidate are full matrices, smaller; "
        "their sum is a full matrix with a strong diagonal."
    )


def draw_lags(
    curves: Mapping[int | str, np.ndarray], direct: Mapping[int | str, np.ndarray]
) -> Picture:
    """Size of a derivative against the lag; whole numbers are forget biases.

    curves  (networks, lags); direct  the same on the direct path alone, dotted.
    """
    fig, ax = figure(8.5, 3.8)
    colours = (GREY, SKY, BLUE, GREEN, ORANGE)
    for (name, runs), colour in zip(curves.items(), colours, strict=True):
        lags = np.arange(1, np.shape(runs)[1] + 1)
        label = name if isinstance(name, str) else f"LSTM, forget bias {name}"
        if name in direct:
            ax.semilogy(lags, np.median(direct[name], axis=0), ":", color=colour)
        low, high = np.min(runs, axis=0), np.max(runs, axis=0)
        ax.fill_between(lags, low, high, color=colour, alpha=0.2)
        ax.semilogy(lags, np.median(runs, axis=0), color=colour, label=label)
    ax.set(xlabel="lag $k$ (steps back)", ylabel="size of the derivative")
    ax.set(ylim=(1e-16, 100))
    ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return fig, (
        "Size of the derivative of the last cell state by an earlier one against the "
        "lag, median and range of ten networks, log scale: with forget bias 5 it does "
        "not fall, with 2 slowly, with 0 and minus 2 steeply, as for the simple RNN. "
        "Dotted, the direct path alone, median of the same networks: below each curve."
    )


def draw_reset(runs: Mapping[str, tuple[np.ndarray, np.ndarray]], at: int) -> Picture:
    """All paths and the direct one, without and with a forget gate of 0."""
    fig, axes = figure(9.5, 3.3, columns=2)
    for ax, (title, (whole, direct)) in zip(axes, runs.items(), strict=True):
        time = np.arange(1, len(whole) + 1)
        ax.semilogy(time, whole, color=ORANGE, label="all paths")
        ax.semilogy(time, np.maximum(direct, 1e-9), "--", color=MEMORY, label="direct")
        ax.set(xlabel="time step $t$", ylabel="size of $dc_T/dc_t$", title=title)
        ax.set(ylim=(0.1, 30), xlim=(1, len(whole) + 1))
    axes[0].legend(loc="lower left")
    axes[1].axvline(at, color=GREY, linewidth=1)
    return fig, (
        "Derivative of the last cell state by earlier ones. Left, all forget gates 1: "
        "the direct path stays at 1, the total grows slowly above it. Right, the gate "
        f"is 0 at step {at}: before it the direct path is gone and the total falls "
        "sharply, yet not to zero."
    )


def draw_highway(shares: Mapping[str, Sequence[float]]) -> Picture:
    """The gradient at c_t, and the two shares it is the sum of."""
    fig, ax = figure(8, 3.2)
    styles = (("-", ORANGE), ("--", MEMORY), ("-", STATE))
    for (name, sizes), (style, colour) in zip(shares.items(), styles, strict=True):
        ax.plot(range(1, len(sizes) + 1), sizes, style, color=colour, label=name)
    ax.set(xlabel="time step $t$", ylabel="size", ylim=(0, None))
    ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return fig, (
        "Size of the gradient at the cell state, going back from its loss: nearly all "
        "of it comes over the direct bridge; the share through the hidden state is "
        "small everywhere but at the last step, where the loss enters."
    )


def draw_growth(growth: np.ndarray) -> Picture:
    """Norms (networks, steps) of the derivative of the state, the largest in orange."""
    fig, ax = figure(8, 3.4)
    steps = range(1, growth.shape[1] + 1)
    ax.semilogy(steps, np.maximum(growth.T, 1e-30), color=GREY, linewidth=0.6)
    ax.semilogy(steps, growth[growth[:, -1].argmax()], color=ORANGE, label="the worst")
    ax.axhline(1, color=INK, linestyle=":")
    ax.set(xlabel="steps", ylabel="norm of the derivative\nof the state")
    ax.set(ylim=(1e-30, 1e30))
    ax.legend(loc="upper left")
    return fig, (
        "Norm of the derivative of the state after t steps by the initial state, for "
        f"{len(growth)} random LSTMs with large weights, log scale: some fall towards "
        "zero, some stay, some grow, the worst by many orders of magnitude."
    )
