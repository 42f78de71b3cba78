"""A cell whose gates are set by hand, over time: what the LSTM and the GRU share."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes

from course_lib.show.plots import heat_map

STEPS = 30


def pulses(heights: Mapping[int, float], disturbance: float) -> np.ndarray:
    """(STEPS,): pulses at some steps, counted from 1, in a stream of disturbances."""
    values = disturbance * np.random.default_rng(6).uniform(-1, 1, STEPS)
    for step, value in heights.items():
        values[step - 1] = value
    return values


def on_one_axis(axes: Sequence[Axes]) -> None:
    """All panels show the same steps, numbered below the last."""
    for ax in axes:
        ax.set(xlim=(0.4, STEPS + 0.6))
    for ax in axes[:-1]:
        ax.tick_params(labelbottom=False)


def gate_strip(ax: Axes, gates: Mapping[str, np.ndarray], open_is: str) -> None:
    """Rows of squares, one for each gate: yellow is open, dark is shut."""
    rows, low = np.stack(list(gates.values())), len(gates) - 0.5
    heat_map(ax, rows, diverging=False, limit=1.0, extent=(0.5, STEPS + 0.5, low, -0.5))
    ax.set_yticks(range(len(gates)), list(gates))
    ax.set_ylabel(f"gates\n(yellow: {open_is})")
    for edge in range(1, len(gates)):
        ax.axhline(edge - 0.5, color="white", linewidth=2)
