"""Pictures of lecture 13b: the attacker, the accountant, privacy against utility."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import torch

from course_lib.models.privacy import ORDERS, renyi_step
from course_lib.show.memorisation import (
    SHADES,
    copies_text,
    exposure_axis,
    quick_figure,
    strip,
)
from course_lib.show.plots import (
    BLUE,
    GREEN,
    GREY,
    INK,
    ORANGE,
    PURPLE,
    Picture,
    figure,
)

DELTA = 1e-4
RECORDS = 1000  # of the imagined corpus of the accountant


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
    fig, ax = quick_figure(right=0.97)
    ax.plot(t, curve, color=BLUE)
    ax.plot(steps, now, "o", color=ORANGE, markersize=10)
    late = steps > 500  # no room on the right; the curve rises, so above is free
    place, side = ((-10, 10), "right") if late else ((10, -18), "left")
    name = f"ε = {now:.2g}"
    ax.annotate(name, (steps, now), place, textcoords="offset points", ha=side)
    ax.set(xscale="log", yscale="log", ylim=(0.004, 20_000))
    ax.set(xlabel="training steps", ylabel="ε (log scale)")
    passes = f"{steps * q:,.4g}"
    setting = f"noise σ = {sigma:g}, {batch} of {RECORDS} records per step"
    ax.set_title(f"{setting}, {passes} passes", fontsize=12)
    return fig, (
        f"Epsilon against training steps with {setting}: after {steps} steps, "
        f"{passes} passes over the data, epsilon is {now:.2g} at delta {DELTA:g}."
    )


def draw_trade(
    names: Sequence[str],
    perplexity: np.ndarray,
    exposures: Mapping,
    ignorant: float,
    n: int,
) -> Picture:
    """Utility above, memory below, a column for each way of training.

    perplexity  (runs, len(names));  exposures  copies -> the same shape
    ignorant    perplexity of counting single letters
    """
    fig, (above, below) = figure(9.4, 6.4, 2, 1)
    places = np.arange(len(names))
    for place, column in enumerate(perplexity.T):
        strip(above, place, column, PURPLE, 0.3)
    above.axhline(ignorant, color=GREY, linestyle="--", linewidth=1.2)
    above.text(places[-1] + 0.3, ignorant + 0.7, "counting letters", ha="right")
    above.set(ylabel="perplexity, new text\n(lower is better)", ylim=(0, ignorant + 4))
    exposure_axis(below, n, named=True)
    shifts = np.linspace(-0.27, 0.27, len(exposures))
    for (copies, values), shift in zip(exposures.items(), shifts, strict=True):
        colour = SHADES[copies]
        below.plot([], [], "o", color=colour, label=copies_text(copies))
        for place, column in enumerate(values.T):
            strip(below, place + shift, column, colour, 0.16)
    below.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    for ax in (above, below):
        ax.set_xticks(places, list(names))
        ax.set_xlabel("training run (ε is promised to one line of text, δ = 0.0001)")
    means = perplexity.mean(axis=0)
    plain = [name.replace("\n", " ") for name in names]
    pairs = ", ".join(f"{e}: {m:.1f}" for e, m in zip(plain, means, strict=True))
    last = [
        f"{copies_text(c)} from {v.mean(axis=0)[0]:.1f} to {v.mean(axis=0)[-1]:.1f}"
        for c, v in exposures.items()
    ]
    return fig, (
        f"Above, mean perplexity on new text: {pairs}; counting letters gives "
        f"{ignorant:.0f}. Below, mean exposure in bits, from the first column to the "
        f"last: {'; '.join(last)}. Every run is a dot."
    )
