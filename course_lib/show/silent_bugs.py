"""The picture of B_silent_bugs: a program, and four with a bug each."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from course_lib.show.plots import PALETTE, Picture, figure

SMOOTH = 10  # steps over which a curve is averaged
APART = 0.3  # nats between two letters at the ends of curves


def draw_curves(histories: Mapping[str, Sequence[float]], guessing: float) -> Picture:
    """The loss that each program prints while it trains, under a letter."""
    fig, ax = figure(9, 3.8)
    ends = {
        name: float(np.mean(losses[-SMOOTH:])) for name, losses in histories.items()
    }
    heights = spread(ends)
    for colour, (name, losses) in zip(PALETTE, histories.items(), strict=False):
        smooth = np.convolve(losses, np.ones(SMOOTH) / SMOOTH, mode="valid")
        steps = np.arange(len(smooth)) + SMOOTH
        ax.plot(steps, smooth, color=colour)
        ax.text(steps[-1] + 2, heights[name], name, color=colour, va="center")
    ax.axhline(guessing, color="grey", linestyle=":")
    last = max(map(len, histories.values()))
    ax.text(last / 2, guessing + 0.08, "guessing", color="grey")
    ax.set(xlabel="step", ylabel="loss that is printed, nats")
    ax.set_xlim(0, last + 22)
    ax.set_ylim(top=guessing + 0.6)
    lowest = min(ends, key=lambda name: ends[name])
    falling = [
        n for n, losses in histories.items() if ends[n] < np.mean(losses[:SMOOTH])
    ]
    alt = (
        f"Printed loss against steps for {len(histories)} programs, "
        f"{', '.join(histories)}. Lower at the end than at the beginning: "
        f"{', '.join(falling) or 'none'}; the lowest at the end is {lowest}."
    )
    return fig, alt


def spread(heights: Mapping[str, float]) -> dict[str, float]:
    """Heights for the letters, in the same order and far enough apart to be read."""
    names = sorted(heights, key=lambda name: heights[name])
    free = dict(heights)
    for below, above in pairwise(names):
        free[above] = max(free[above], free[below] + APART)
    return free
