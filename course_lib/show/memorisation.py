"""Pictures of lecture 13: exposure, the place of a secret, privacy against utility."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from course_lib.models.privacy import (
    ORDERS,
    chance_exposure,
    exposure,
    rank,
    renyi_step,
)
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

DELTA = 1e-4
RECORDS = 1000  # of the imagined corpus of the accountant
SHADES = {1: BLUE, 8: YELLOW, 32: ORANGE}  # a number of copies has one colour
LEVELS = ("first of all codes", "never seen")


def _exposure_axis(ax: Axes, n: int, names: Sequence[str] = ("", "")) -> None:
    """The range of an exposure, with its height and with the mean of chance.

    names  of these two lines in the legend
    """
    top = math.log2(n)
    for height, colour, name in zip(
        (top, chance_exposure(n)), (GREY, GREEN), names, strict=True
    ):
        ax.axhline(height, color=colour, linestyle="--", linewidth=1.4, label=name)
    ax.set(ylabel="exposure (bits)", ylim=(-0.4, top + 1.2))


def _quick_figure(right: float) -> tuple[Figure, Axes]:
    """A figure of known margins: half the time of a slider step."""
    fig, ax = figure(8.6, 3.6)
    fig.set_layout_engine(None)
    fig.subplots_adjust(left=0.09, right=right, bottom=0.17, top=0.9)
    return fig, ax


def _times(copies: int) -> str:
    return "1 copy" if copies == 1 else f"{copies} copies"


def draw_exposure(
    copies: Sequence[int], runs: Mapping[str, np.ndarray], n: int
) -> Picture:
    """Exposure against copies; a colour for each kind of run.

    runs  name -> (seeds, len(copies)): dots, and a line through their means
    """
    fig, ax = figure(8.6, 3.8)
    places = np.arange(len(copies))
    told = []
    for (name, values), colour in zip(runs.items(), (BLUE, ORANGE), strict=False):
        mean = np.mean(values, axis=0)
        ax.plot(places, mean, "-", color=colour, label=name)
        for row in values:
            ax.plot(places, row, "o", color=colour, markersize=7, alpha=0.75)
        told.append(f"{name} from {mean[0]:.0f} to {mean[-1]:.0f}")
    _exposure_axis(ax, n)
    ax.text(-0.2, math.log2(n) + 0.25, "first of all codes", fontsize=10)
    words = {"color": GREEN, "fontsize": 10, "ha": "right"}
    ax.text(places[-1] + 0.2, 0.55, "never seen, on average", **words)
    ax.set_xticks(places, copies)
    ax.set(xlabel="copies of the line that were planted")
    if len(runs) > 1:
        ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return fig, (
        f"Exposure in bits against the number of copies, {', '.join(map(str, copies))}:"
        f" {'; '.join(told)} bits; the largest possible is {math.log2(n):.1f}."
    )


def draw_rank(scores: np.ndarray, planted: int, code: int, title: str = "") -> Picture:
    """Where one code stands among all: the interactive picture.

    scores  (n,) log-probabilities;  planted  the true secret;  code  the chosen one
    """
    scores = np.asarray(scores, dtype=float) / math.log(10)
    place, bits = rank(scores, code), exposure(scores, code)
    fig, ax = _quick_figure(right=0.76)
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
    steps: Sequence[int], perplexity: Sequence[float], exposures: Mapping, n: int
) -> Picture:
    """During training: perplexity on new text above, exposure below.

    exposures  copies -> (len(steps),)
    """
    fig, (above, below) = figure(8.6, 4.6, 2, 1)
    above.plot(steps, perplexity, "o-", color=PURPLE)
    above.set(xlabel="training step", ylabel="perplexity\n(new text)", yscale="log")
    above.set_yticks([10, 20, 50, 100], [10, 20, 50, 100])
    above.minorticks_off()
    for copies, values in exposures.items():
        style = {"color": SHADES[copies], "label": _times(copies)}
        below.plot(steps, values, "o-", **style)
    _exposure_axis(below, n, LEVELS)
    below.set(xlabel="training step")
    below.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    last = ", ".join(f"{_times(c)} {v[-1]:.0f}" for c, v in exposures.items())
    return fig, (
        f"Over {steps[-1]} training steps the perplexity on new text falls from "
        f"{perplexity[0]:.0f} to {perplexity[-1]:.0f}, while exposure rises to "
        f"(bits): {last}."
    )


def attacker_curve(sigma: float, false_alarms: np.ndarray) -> np.ndarray:
    r"""The best attacker against Gaussian noise: hits for given false alarms.

    N(0, sigma²) without the record, N(1, sigma²) with it; the best test is a threshold
    (Neyman and Pearson), so hits = $\Phi(\Phi^{-1}(\text{false alarms}) + 1/\sigma)$.
    """
    x = torch.special.ndtri(torch.as_tensor(false_alarms)) + 1 / sigma
    return torch.special.ndtr(x).numpy()


def attacker_limit(alarms: np.ndarray, epsilon: float, delta: float) -> np.ndarray:
    """The most hits that (ε, δ) allows: the definition, used in both directions."""
    forwards = math.exp(epsilon) * alarms + delta
    backwards = 1 - math.exp(-epsilon) * (1 - delta - alarms)
    return np.clip(np.minimum(forwards, backwards), 0, 1)


def draw_attacker(sigma: float, epsilon: float, delta: float) -> Picture:
    """Two bells on the left; on the right what an attacker can do with them."""
    fig, (left, right) = figure(9.2, 3.7, 1, 2)
    z = np.linspace(-4 * sigma, 4 * sigma + 1, 300)
    for mean, colour, name in [(0, GREEN, "without you"), (1, ORANGE, "with you")]:
        bell = np.exp(-((z - mean) ** 2) / (2 * sigma**2))
        left.plot(z, bell / sigma / math.sqrt(2 * math.pi), color=colour, label=name)
    left.set(xlabel="what is published", ylabel="density", ylim=(0, None))
    left.legend(loc="upper left", fontsize=10)
    alarms = np.linspace(1e-6, 1 - 1e-6, 400)
    hits = attacker_curve(sigma, alarms)
    limit = attacker_limit(alarms, epsilon, delta)
    right.plot(alarms, hits, color=ORANGE, label="best attacker")
    right.plot(alarms, limit, "--", color=INK, label="limit set by $(ε, δ)$")
    right.plot([0, 1], [0, 1], color=GREY, linewidth=1, label="guessing")
    right.set(xlabel="false alarms", ylabel="hits", xlim=(0, 1), ylim=(0, 1.02))
    right.legend(loc="lower right", fontsize=10)
    accuracy = ((hits + 1 - alarms) / 2).max()
    return fig, (
        f"Left: two bell curves of width {sigma:g}, one step apart. Right: hits and "
        f"false alarms of the best attacker, who is right {accuracy:.0%} of the time, "
        f"below the limit set by epsilon {epsilon:.2f}."
    )


def draw_accountant(sigma: float = 1.0, batch: int = 64, steps: int = 200) -> Picture:
    """ε against training steps for this noise and batch, of 1000 records."""
    q = batch / RECORDS
    one = np.array([renyi_step(q, sigma, order) for order in ORDERS])
    price = math.log(1 / DELTA) / (np.array(ORDERS) - 1)
    t = np.unique(np.geomspace(1, 2000, 60).astype(int))
    curve = (t[:, None] * one + price).min(axis=1)
    now = float((steps * one + price).min())
    fig, ax = _quick_figure(right=0.97)
    ax.plot(t, curve, color=BLUE)
    ax.plot(steps, now, "o", color=ORANGE, markersize=10)
    ax.annotate(f"ε = {now:.2g}", (steps, now), (10, -18), textcoords="offset points")
    ax.set(xscale="log", yscale="log", ylim=(0.05, 2000))
    ax.set(xlabel="training steps", ylabel="ε (log scale)")
    passes = steps * q
    setting = f"noise σ = {sigma:g}, {batch} of {RECORDS} records per step"
    ax.set_title(f"{setting}, {passes:.1f} passes", fontsize=12)
    return fig, (
        f"Epsilon against training steps with {setting}: after {steps} steps, "
        f"{passes:.1f} passes over the data, epsilon is {now:.2g} at delta {DELTA:g}."
    )


def draw_trade(
    epsilons: Sequence[float],
    perplexity: np.ndarray,
    exposures: Mapping,
    ignorant: float,
    n: int,
) -> Picture:
    """Utility above, memory below, on one axis of ε; the last ε may be infinite.

    perplexity  (runs, len(epsilons));  exposures  copies -> the same shape
    ignorant    perplexity of counting single letters
    """
    fig, (above, below) = figure(8.6, 5.4, 2, 1)
    places = np.arange(len(epsilons))
    above.plot(places, np.mean(perplexity, axis=0), "-", color=PURPLE)
    for row in perplexity:
        above.plot(places, row, "o", color=PURPLE)
    above.axhline(ignorant, color=GREY, linestyle="--", linewidth=1.2)
    above.text(places[-1], ignorant + 0.8, "counting letters", ha="right", fontsize=10)
    above.set(ylabel="perplexity, new text\n(lower is better)", ylim=(0, ignorant + 4))
    for (copies, values), marker in zip(exposures.items(), "osD", strict=False):
        colour, mean = SHADES[copies], np.mean(values, axis=0)
        below.plot(places, mean, "-", color=colour, label=_times(copies))
        for row in values:
            below.plot(places, row, marker, color=colour, alpha=0.8)
    _exposure_axis(below, n, LEVELS)
    below.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    short = [f"{e:.1f}" if e < 10 else f"{e:.0f}" for e in epsilons]
    names = ["no noise" if text == "inf" else text for text in short]
    for ax in (above, below):
        ax.set_xticks(places, names)
        ax.set_xlabel("ε of the training run (one line of text, δ = 0.0001)")
    means = np.mean(perplexity, axis=0)
    pairs = ", ".join(f"{e}: {m:.0f}" for e, m in zip(names, means, strict=True))
    return fig, (
        f"Perplexity on new text by epsilon: {pairs}; counting letters gives "
        f"{ignorant:.0f}. Below, the exposure of lines with "
        f"{', '.join(map(str, exposures))} copies falls as epsilon falls."
    )
