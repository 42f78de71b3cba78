"""Pictures of lecture 13: exposure, the place of a secret, memory during training."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from course_lib.models.privacy import chance_exposure, exposure, rank
from course_lib.show.plots import (
    BLUE,
    GREEN,
    GREY,
    INK,
    ORANGE,
    PURPLE,
    YELLOW,
    Picture,
    figure,
)

SHADES = {1: BLUE, 8: YELLOW, 32: ORANGE}  # a number of copies has one colour
KINDS = (BLUE, ORANGE, PURPLE)  # kinds of runs side by side
LUCK = 0.01  # the share of secrets, never seen, above the shaded part


def quick_figure(right: float) -> tuple[Figure, Axes]:
    """A figure of known margins: half the time of a slider step."""
    fig, ax = figure(8.6, 3.6)
    fig.set_layout_engine(None)
    fig.subplots_adjust(left=0.09, right=right, bottom=0.17, top=0.9)
    return fig, ax


def copies_text(copies: int) -> str:
    return "1 copy" if copies == 1 else f"{copies} copies"


def exposure_axis(ax: Axes, n: int, named: bool = False) -> None:
    """The range of an exposure, and where secrets lie that were never seen.

    Shaded: 99 of 100 of these; dashed: their mean, and the most there can be.
    """
    top = math.log2(n)
    lines = {
        "first of all codes": (top, GREY),
        "never seen: mean": (chance_exposure(n), GREEN),
    }
    for name, (height, colour) in lines.items():
        label = name if named else None
        ax.axhline(height, color=colour, linestyle="--", linewidth=1.4, label=label)
    most = "never seen: 99 of 100" if named else None
    ax.axhspan(0, -math.log2(LUCK), color=GREEN, alpha=0.1, linewidth=0, label=most)
    ax.set(ylabel="exposure (bits)", ylim=(-0.4, top + 1.0))


def strip(
    ax: Axes, at: float, values: np.ndarray, colour: str, width: float = 0.2
) -> None:
    """Every value a dot, side by side so that equal ones can be counted; their mean."""
    aside = np.linspace(-width / 2, width / 2, len(values))
    ax.plot(at + aside, values, "o", color=colour, markersize=5, alpha=0.7)
    mean = float(np.mean(values))
    ax.plot(
        [at - 0.75 * width, at + 0.75 * width], [mean, mean], color=INK, linewidth=2
    )


def draw_exposure(
    copies: Sequence[int], runs: Mapping[str, np.ndarray], n: int
) -> Picture:
    """Exposure against copies, a column of dots for each kind of run.

    runs  name -> (seeds, len(copies)): a dot for every secret, a bar for the mean
    """
    fig, ax = figure(9.4, 4.0)
    exposure_axis(ax, n, named=True)
    shifts = np.linspace(-1, 1, len(runs)) * 0.13 * (len(runs) - 1)
    told = []
    for (name, values), colour, shift in zip(runs.items(), KINDS, shifts, strict=False):
        ax.plot([], [], "o", color=colour, label=name)
        width = 0.4 if len(runs) == 1 else 0.16
        for place, column in enumerate(values.T):
            strip(ax, place + shift, column, colour, width)
        mean = values.mean(axis=0)
        told.append(f"{name} from {mean[0]:.1f} to {mean[-1]:.1f}")
    ax.set_xticks(range(len(copies)), list(map(str, copies)))
    ax.set(xlabel="copies of the line that were planted")
    ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return fig, (
        f"Exposure in bits against the number of copies, {', '.join(map(str, copies))},"
        f" a dot for every secret. Means: {'; '.join(told)} bits; the largest possible "
        f"is {math.log2(n):.1f}."
    )


def draw_rank(scores: np.ndarray, planted: int, code: int, title: str = "") -> Picture:
    """Where one code stands among all: the interactive picture.

    scores  (n,) log-probabilities;  planted  the true secret;  code  the chosen one
    """
    scores = np.asarray(scores, dtype=float) / math.log(10)
    place, bits = rank(scores, code), exposure(scores, code)
    fig, ax = quick_figure(right=0.76)
    ax.hist(scores, bins=80, color=BLUE, alpha=0.6, label=f"all {len(scores):,} codes")
    ax.set_yscale("symlog", linthresh=1)
    ax.axvline(scores[planted], color=GREEN, linewidth=5, alpha=0.6, label="planted")
    ax.axvline(scores[code], color=ORANGE, label=f"code {code:04d}")
    ax.set(xlabel="$\\log_{10}$ probability, given the prompt", ylabel="codes (log)")
    ax.set_ylim(0, len(scores))
    verdict = f"code {code:04d}: place {place:,.0f}, exposure {bits:.1f} bits"
    ax.set_title(f"{title}{verdict}", fontsize=12)
    ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return fig, (
        f"{title}Histogram of the log-probabilities of all {len(scores):,} codes; "
        f"{verdict}; the planted code is at place {rank(scores, planted):,.0f}."
    )


def draw_progress(
    steps: Sequence[int], perplexity: np.ndarray, exposures: Mapping, n: int
) -> Picture:
    """During training: perplexity on new text above, exposure below.

    perplexity  (seeds, len(steps));  exposures  copies -> the same shape
    """
    fig, (above, below) = figure(9.4, 5.2, 2, 1)
    above.plot(steps, perplexity.T, color=PURPLE, alpha=0.35, linewidth=1.2)
    above.plot(steps, perplexity.mean(axis=0), "o-", color=PURPLE)
    above.set(xlabel="training step", ylabel="perplexity\n(new text)", yscale="log")
    above.set_yticks([10, 20, 50, 100], ["10", "20", "50", "100"])
    above.minorticks_off()
    exposure_axis(below, n, named=True)
    for copies, values in exposures.items():
        shade = SHADES[copies]
        below.plot(steps, values.T, color=shade, alpha=0.35, linewidth=1.2)
        mean = values.mean(axis=0)
        below.plot(steps, mean, "o-", color=shade, label=copies_text(copies))
    below.set(xlabel="training step")
    below.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    mean = perplexity.mean(axis=0)
    last = ", ".join(
        f"{copies_text(c)} {v.mean(axis=0)[-1]:.1f}" for c, v in exposures.items()
    )
    return fig, (
        f"Over {steps[-1]} training steps of {len(perplexity)} runs the mean "
        f"perplexity on new text falls from {mean[0]:.0f} to {mean[-1]:.1f}, while "
        f"exposure rises to (mean, in bits): {last}. Thin lines are single runs."
    )
