"""The picture of B_silent_bugs: one program with four bugs, each of which learns."""

from collections.abc import Mapping, Sequence

import numpy as np

from course_lib.show.plots import PALETTE, Picture, figure

SMOOTH = 10  # steps over which a curve is averaged


def draw_curves(histories: Mapping[str, Sequence[float]], guessing: float) -> Picture:
    """The loss that each program prints while it trains, under a letter."""
    fig, ax = figure(9, 3.8)
    for colour, (name, losses) in zip(PALETTE, histories.items(), strict=False):
        smooth = np.convolve(losses, np.ones(SMOOTH) / SMOOTH, mode="valid")
        steps = np.arange(len(smooth)) + SMOOTH
        ax.plot(steps, smooth, color=colour)
        ax.text(steps[-1] + 2, smooth[-1], name, color=colour, va="center")
    ax.axhline(guessing, color="grey", linestyle=":")
    ax.text(SMOOTH, guessing + 0.06, "guessing", color="grey")
    ax.set(xlabel="step", ylabel="loss that is printed, nats")
    ax.set_xlim(0, len(next(iter(histories.values()))) + 22)
    lowest = min(histories, key=lambda name: np.mean(histories[name][-SMOOTH:]))
    alt = (
        f"Printed loss against steps for {len(histories)} programs, "
        f"{', '.join(histories)}. All fall; the lowest at the end is {lowest}."
    )
    return fig, alt
