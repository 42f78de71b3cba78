"""Pictures of lecture 16: two families, one step as bells, tracks and beliefs."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes

from course_lib.show.boxes import arrow, box
from course_lib.show.mechanisms import kalman
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
    seed_rows,
)


def draw_two_families(steps: int = 3) -> Picture:
    """Left one z for the whole sequence, right one z_t for every step."""
    fig, axes = figure(10, 3.0, columns=2)
    for ax in axes:
        ax.set(xlim=(-0.6, 1.3 * steps - 0.7), ylim=(-0.5, 1.9))
        ax.set_axis_off()
    left, right = axes
    left.set_title("one latent for the whole sequence", fontsize=12)
    right.set_title("one latent for every step", fontsize=12)
    middle = 0.65 * (steps - 1)
    box(left, middle, 1.4, "$z$", BLUE)
    for n in range(steps):
        x = 1.3 * n
        for ax in axes:
            box(ax, x, 0, f"$x_{n + 1}$", GREEN)
        arrow(left, (middle + 0.25 * (x - middle), 1.16), (x, 0.24), BLUE)
        box(right, x, 1.4, f"$z_{n + 1}$", BLUE)
        arrow(right, (x, 1.16), (x, 0.24), BLUE)
        if n:
            arrow(left, (x - 0.97, 0), (x - 0.33, 0), GREY)
            arrow(right, (x - 0.97, 1.4), (x - 0.33, 1.4), BLUE)
    alt = (
        f"Two diagrams. Left: one z with an arrow to each of x_1 to x_{steps}, which "
        f"are also linked in a row. Right: z_1 to z_{steps} linked in a row, each with "
        "one arrow down to its own x."
    )
    return fig, alt


def band(
    ax: Axes,
    mean: np.ndarray | list[float],
    sigma: np.ndarray | list[float],
    colour: str,
    label: str,
    alpha: float = 0.25,
) -> None:
    """A line with two standard deviations to either side; time counts from 1."""
    mean, sigma = np.asarray(mean), np.asarray(sigma)
    if mean.shape != sigma.shape or mean.ndim != 1:
        raise ValueError(
            f"mean {mean.shape} and sigma {sigma.shape} must be equal and one axis long"
        )
    t = np.arange(1, len(mean) + 1)
    ax.fill_between(t, mean - 2 * sigma, mean + 2 * sigma, color=colour, alpha=alpha)
    ax.plot(t, mean, color=colour, label=label)


def bell(at: np.ndarray, mean: float, variance: float) -> np.ndarray:
    """The Gaussian density."""
    return np.exp(-((at - mean) ** 2) / (2 * variance)) / np.sqrt(2 * np.pi * variance)


def draw_bells(
    x: float = kalman.X, R: float = kalman.R, Q: float = kalman.Q
) -> Picture:
    """One filter step as densities of the state: predict, look, correct.

    x  what is seen; R and Q the variances of the blur and of the moves
    """
    m_minus = kalman.A * kalman.M_BEFORE
    P_minus = kalman.A**2 * kalman.P_BEFORE + Q
    K = P_minus / (P_minus + R)
    m, P = m_minus + K * (x - m_minus), (1 - K) * P_minus
    at = np.linspace(-4.5, 6.5, 400)
    fig, axes = figure(10, 3.1, columns=3)
    before = bell(at, kalman.M_BEFORE, kalman.P_BEFORE)
    predicted, seen = bell(at, m_minus, P_minus), bell(at, x, R)
    lines = [
        [(before, GREY, "belief before"), (predicted, SKY, "predicted")],
        [(predicted, SKY, "predicted"), (seen, GREEN, "how well z fits x")],
        [(predicted, SKY, ""), (seen, GREEN, ""), (bell(at, m, P), BLUE, "corrected")],
    ]
    titles = (
        f"predict: N({m_minus:.2f}, {P_minus:.2f})",
        f"look: x = {kalman.x_text(x)}",
        f"correct: N({kalman.x_text(m)}, {P:.2f})",
    )
    for ax, curves, title in zip(axes, lines, titles, strict=True):
        for curve, colour, label in curves:
            ax.plot(at, curve, color=colour, label=label or None)
        ax.fill_between(at, curves[-1][0], color=curves[-1][1], alpha=0.2)
        ax.set(xlabel="state $z$", ylim=(0, 1.08), title=title)  # legend above all
        ax.legend(loc="upper left", fontsize=10)
    axes[0].set_ylabel("density")
    for ax in axes[1:]:
        ax.tick_params(labelleft=False)
    alt = (
        f"Three panels of bell curves. Predict: the belief goes to mean {m_minus:.2f}, "
        f"variance {P_minus:.2f}. Look: a curve around the observation {x:.2f}. "
        f"Correct: a narrower curve between the two, mean {m:.2f}, variance {P:.2f}; "
        f"the gain is {K:.2f}."
    )
    return fig, alt


def draw_track(
    hidden: np.ndarray,
    seen: np.ndarray,
    estimates: Mapping[str, np.ndarray],
    sigma: np.ndarray,
) -> Picture:
    """One sequence: what is seen, what is hidden, and two estimates of it.

    estimates  name -> (T,); the last one gets a band of two sigma
    """
    fig, ax = figure(10, 3.6)
    t = np.arange(1, len(seen) + 1)
    *others, best = estimates.items()
    for name, line in others:
        ax.plot(t, line, color=ORANGE, label=name, lw=1.6)
    band(ax, best[1], sigma, BLUE, best[0])
    ax.plot(t, hidden, color=INK, lw=1.4, label="hidden position")
    ax.plot(t, seen, "o", color=GREEN, ms=5, label="seen")
    ax.set(xlabel="time step $t$", ylabel="position")
    fig.legend(loc="outside lower center", ncols=5, fontsize=11)
    inside = int((np.abs(hidden - best[1]) < 2 * sigma).sum())
    off = {
        name: np.sqrt(np.mean((line - hidden) ** 2)) for name, line in [*others, best]
    }
    errors = ", ".join(f"{name} {error:.2f}" for name, error in off.items())
    alt = (
        f"Blurred positions of one swing and two estimates of the hidden one. The band "
        f"of the {best[0]} holds the truth at {inside} of {len(seen)} steps. Root mean "
        f"squared errors: {errors}."
    )
    return fig, alt


def draw_errors(results: Mapping[str, Mapping[str, Sequence[float]]]) -> Picture:
    """A panel for each question, a row for each rule, a point for each draw of data."""
    fig, axes = figure(10, 3.1, columns=len(results))
    said = []
    for ax, (question, rules) in zip(np.atleast_1d(axes), results.items(), strict=True):
        seed_rows(ax, rules, (ORANGE, ORANGE, ORANGE, PURPLE, BLUE))
        ax.set(xlabel="root mean squared error", ylabel="", title=question)
        ax.set_xlim(0, 1.1 * np.max(list(rules.values())))
        ends = [f"{name} {np.mean(values):.2f}" for name, values in rules.items()]
        said.append(f"{question}: {', '.join(ends)}")
    axes = np.atleast_1d(axes)
    axes[0].set_ylabel("rule")
    for ax in axes[1:]:
        ax.tick_params(labelleft=False)
    alt = f"Errors of some rules, one point for each draw. {'; '.join(said)}."
    return fig, alt


def draw_speed(
    truth: np.ndarray, bands: Mapping[str, tuple[np.ndarray, np.ndarray]]
) -> Picture:
    """A panel for each estimate (mean, sigma) of something that is never seen."""
    fig, axes = figure(10, 3.4, columns=len(bands))
    said = []
    for ax, colour, (name, (mean, sigma)) in zip(
        axes, (ORANGE, BLUE), bands.items(), strict=True
    ):
        band(ax, mean, sigma, colour, name)
        ax.plot(np.arange(1, len(truth) + 1), truth, color=INK, lw=1.2)
        ax.set(xlabel="time step $t$", ylabel="speed", title=name, ylim=(-3.2, 3.2))
        said.append(
            f"{name} {4 * sigma[0]:.2f} at the first step, {4 * sigma.mean():.2f}"
        )
    alt = (
        "The hidden speed of one swing as a black line within two bands. Their widths: "
        f"{' on average; '.join(said)} on average."
    )
    return fig, alt


def draw_hmm(
    now: np.ndarray, later: np.ndarray, truth: np.ndarray, word: np.ndarray
) -> Picture:
    """p(state 2) by filter and by smoother, over the hidden path and the symbols.

    now, later (T,); truth, word (T,) of 0 and 1
    """
    fig, ax = figure(10, 3.2)
    t = np.arange(1, len(word) + 1)
    ax.fill_between(t, 0, truth, step="mid", color=GREY, alpha=0.25, label="hidden: 2")
    ax.plot(t, now, color=ORANGE, label="filtering")
    ax.plot(t, later, color=BLUE, label="smoothing")
    for symbol, y, label in ((0, -0.12, None), (1, 1.12, "seen: a below, b above")):
        at = t[word == symbol]
        ax.plot(at, np.full(len(at), y), "|", color=GREEN, label=label)
    ax.set(xlabel="time step $t$", ylabel="p(state 2)", ylim=(-0.2, 1.2))
    ax.set_yticks([0, 0.5, 1])
    fig.legend(loc="outside lower center", ncols=4, fontsize=11)
    right = [int(((line > 0.5) == truth).sum()) for line in (now, later)]
    alt = (
        "Probability of the second state over time, by filtering and by smoothing; "
        "grey where it is the true one; green marks below for a, above for b. On the "
        f"right side of one half: {right[0]} and {right[1]} of {len(word)} steps."
    )
    return fig, alt
