"""Pictures of lecture 05: a GRU with gates set by hand, counters, measured networks.

The gate player takes the network out of the network: update and reset gate are set by
hand, step by step, so that one sees what each of them does to the state.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from course_lib.show.diagram.roles import colour_of
from course_lib.show.gates_by_hand import STEPS, gate_strip, on_one_axis, pulses
from course_lib.show.plots import (
    BLUE,
    GREEN,
    GREY,
    INK,
    ORANGE,
    SKY,
    Picture,
    figure,
    seed_rows,
)

PULSES = {4: 1.4, 12: -0.9, 20: 1.2}  # the inputs that carry a message
DISTURBANCE = 0.4  # everything else that comes in is a nuisance of this size
# h and c have the same colours here as in the diagrams of the cells
STATE, MEMORY = colour_of("state"), colour_of("memory")
RECURRENT = 0.8  # how strongly the candidate listens to the old state

# what a gate can do over time
UPDATE_PATTERNS = ("write at 4 and 12", "write at 4 only", "always 0.1", "always open")
RESET_PATTERNS = ("open", "shut at 12", "shut")
_GATES = {
    "write at 4 and 12": ((4, 12), 1.0, 0.0),  # steps, value there, value elsewhere
    "write at 4 only": ((4,), 1.0, 0.0),
    "always 0.1": ((), 0.0, 0.1),
    "always open": ((), 0.0, 1.0),
    "open": ((), 0.0, 1.0),
    "shut at 12": ((12,), 0.0, 1.0),
    "shut": ((), 0.0, 0.0),
}


def gate_values(pattern: str) -> np.ndarray:
    """The values (STEPS,) of one named gate pattern; time is counted from 1."""
    if pattern not in _GATES:
        raise ValueError(f"no gate pattern {pattern!r}; there are {sorted(_GATES)}")
    steps, there, elsewhere = _GATES[pattern]
    return np.where(np.isin(np.arange(1, STEPS + 1), steps), there, elsewhere)


def inputs() -> np.ndarray:
    """What comes in (STEPS,): three pulses in a stream of disturbances."""
    return pulses(PULSES, DISTURBANCE)


@dataclass(frozen=True)
class Playback:
    """One run of a single unit with hand-set gates, time from 1 to STEPS."""

    z: np.ndarray
    r: np.ndarray
    x: np.ndarray
    h_tilde: np.ndarray
    h: np.ndarray
    reach: np.ndarray  # d h_T / d h_t


def play_gates(z: str, r: str) -> Playback:
    r"""Run $\tilde h = \tanh(x + w r h_{t-1})$, $h_t = (1-z) h_{t-1} + z \tilde h$.

    The gates are fixed, so $h_{t-1}$ reaches $h_t$ along two paths, kept and through
    the candidate: $dh_t/dh_{t-1} = (1 - z_t) + z_t (1 - \tilde h_t^2)\, w\, r_t$.
    """
    z_t, r_t, x = gate_values(z), gate_values(r), inputs()
    h, h_tilde, slope, now = *np.empty((3, STEPS)), 0.0
    for t in range(STEPS):
        h_tilde[t] = np.tanh(x[t] + RECURRENT * r_t[t] * now)
        now = h[t] = (1 - z_t[t]) * now + z_t[t] * h_tilde[t]
        slope[t] = 1 - z_t[t] + z_t[t] * (1 - h_tilde[t] ** 2) * RECURRENT * r_t[t]
    later = np.append(slope[1:], 1.0)
    reach = np.cumprod(later[::-1])[::-1]  # all slopes after t
    return Playback(z_t, r_t, x, h_tilde, h, reach)


def draw_gate_player(z: str, r: str) -> Picture:
    """Inputs, gates, candidate and state, and the gradient back from h_T."""
    run = play_gates(z, r)
    time = np.arange(1, STEPS + 1)
    fig, axes = figure(9.5, 6.2, rows=4)
    axes[0].bar(time, run.x, color=GREEN)
    axes[0].set(ylabel="input $x_t$", ylim=(-1.6, 1.6))
    gate_strip(axes[1], {"update $z$": run.z, "reset $r$": run.r}, "1")
    hollow = {"color": STATE, "markerfacecolor": "white", "markersize": 4}
    axes[2].plot(time, run.h_tilde, "s", **hollow, label=r"$\tilde h_t$")
    axes[2].plot(time, run.h, "o-", color=STATE, label="$h_t$")
    axes[2].axhline(0, color=GREY, linewidth=1)
    axes[2].set(ylabel="state", ylim=(-1.1, 1.1))
    axes[2].legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    axes[3].bar(time, run.reach, color=ORANGE)
    axes[3].set(ylabel=r"$dh_T\,/\,dh_t$", ylim=(0, 1.05), xlabel="time step $t$")
    on_one_axis(axes)
    return fig, (
        f"One unit with gates set by hand (update: {z}; reset: {r}). The state is "
        f"{run.h[3]:+.2f} at step 4, {run.h[11]:+.2f} at step 12 and ends at "
        f"{run.h[-1]:+.2f}; step 4 reaches the end with factor {run.reach[3]:.2f}."
    )


def draw_counters(cells: Mapping[str, np.ndarray]) -> Picture:
    """Cell states after n equal events, and what one more event adds."""
    fig, (left, right) = figure(9, 2.9, columns=2)
    for (name, c), colour in zip(cells.items(), (GREEN, BLUE, ORANGE), strict=True):
        events = np.arange(1, len(c) + 1)
        left.plot(events, c, color=colour, label=name)
        right.semilogy(events, np.diff(c, prepend=0.0), color=colour)
    left.set(xlabel="number of events $n$", ylabel="cell state $c_n$")
    left.legend()
    right.set(xlabel="number of events $n$", ylabel="event $n$ adds (log)")
    return fig, (
        "Left: after 50 events the counting LSTM is at 50, one with gates at 0.95 at "
        "17.5, the coupled cell at 0.92. Right: what one more event adds stays 1 for "
        "the first, and falls on straight lines, on a log scale, for the others."
    )


def draw_metronome(c: np.ndarray, h: np.ndarray, period: int) -> Picture:
    """The cell that counts, and the output that speaks every `period` steps."""
    steps = np.arange(1, len(c) + 1)
    fig, (top, bottom) = figure(8, 3.4, rows=2)
    top.plot(steps, c, "o-", color=MEMORY)
    bottom.stem(steps, h, linefmt=STATE, markerfmt="o", basefmt=" ")
    top.set(xlabel=" ", ylabel="cell $c_t$", ylim=(0, period + 1))
    bottom.set(xlabel="time step $t$", ylabel="output $h_t$")
    for ax in (top, bottom):
        ax.set_xticks(range(period, len(c) + 1, period))
    top.tick_params(labelbottom=False)
    return fig, (
        f"A single peephole unit without input: its cell counts from 1 to {period} and "
        f"starts again; its output is zero except at every step number {period}, where "
        "it is one."
    )


def draw_said(
    said: Mapping[str, np.ndarray], counts: np.ndarray, trained: int
) -> Picture:
    """What each network says against the true count: a line for every network.

    said  for each cell an array (networks, counts).
    """
    fig, axes = figure(10, 3.3, columns=len(said))
    for ax, (name, lines) in zip(axes, said.items(), strict=True):
        ax.axvspan(0, trained, color=GREEN, alpha=0.12)
        ax.plot(counts, counts, color=INK, linestyle=":")
        ax.plot(counts, np.transpose(lines), color=BLUE, linewidth=1.2, alpha=0.8)
        ax.axhline(trained, color=GREY, linestyle="--", linewidth=1)
        ax.set(title=name, xlabel="events that came", ylabel=" ")
        ax.set(ylim=(0, counts[-1] * 1.05), xlim=(0, counts[-1]))
    axes[0].set_ylabel("events the network counts")
    return fig, (
        "What eight networks of each kind say against the number of events, trained up "
        f"to {trained}, shaded green; dotted the truth, dashed a counter that stops. "
        "All are right in the shaded part; beyond it the LSTM's lines go on rising, "
        "those of the coupled cell and of the GRU bend towards a ceiling."
    )


def draw_solved(
    task: str, results: Mapping[str, Sequence[float]], chance: float
) -> Picture:
    """A row for each kind of network, a point for each seed; guessing is dotted."""
    fig, ax = figure(9, 1.6 + 0.3 * len(results))
    seed_rows(ax, results)
    ax.axvline(chance, color=INK, linestyle=":")
    ax.set(title=task, ylabel=" ", xlim=(chance - 0.1, 1.03))
    ax.set_xlabel("accuracy on new sequences (dotted: guessing)")
    networks = len(next(iter(results.values())))
    return fig, (
        f"{task}: accuracies of {networks} networks in each row, every one a point, "
        f"guessing dotted at {chance}; the table below counts those that solve it."
    )


def draw_learning(
    losses: Mapping[str, Sequence[Sequence[float]]],
    seconds: Mapping[str, float],
    orders: np.ndarray,
) -> Picture:
    """Training loss over processor time, a line for each seed; n-grams as lines."""
    fig, ax = figure(8.5, 3.5)
    colours = (BLUE, SKY, ORANGE)
    for (name, runs), colour in zip(losses.items(), colours, strict=True):
        for number, values in enumerate(runs):
            smooth = np.convolve(values, np.ones(30) / 30, mode="valid")
            share = (np.arange(len(smooth)) + 30) / len(values)
            label = name if number == 0 else None
            ax.plot(share * seconds[name], smooth, color=colour, label=label)
    for order in (2, 3, 5):
        ax.axhline(orders[order - 1], color=GREY, linestyle=":")
        at = {"transform": ax.get_yaxis_transform(), "va": "center", "fontsize": 10}
        ax.text(1.01, orders[order - 1], f"{order}-grams", color=INK, **at)
    ax.set(xlabel="share of the LSTM's processor time", ylabel="nats a letter")
    ax.set(ylim=(1.5, 3), xlim=(0, None))
    ax.legend(loc="upper right")
    return fig, (
        "Training loss of three hand-written networks against processor time: all fall "
        "quickly below the 2-grams and 3-grams and end close together; the 5-grams, "
        "dotted, stay below them."
    )
