"""Pictures of lecture 06: sampler, words on a plane, piano rolls, reviews, skill."""

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from matplotlib.axes import Axes

from course_lib.search import adjusted
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

NAMES = ["C", "C♯", "D", "E♭", "E", "F", "F♯", "G", "A♭", "A", "B♭", "B"]


def reshaped(
    scores: np.ndarray, temperature: float = 1.0, k: int = 0, p: float = 1.0
) -> np.ndarray:
    r"""The distribution one samples from.  scores (V,) -> (V,)

    softmax(scores / temperature), then only the k most probable (k = 0: all), then the
    fewest of these whose probabilities reach p; what is left is scaled to sum 1.
    """
    scores = np.asarray(scores, dtype=float)
    if temperature <= 0 or k < 0 or not 0 < p <= 1:
        raise ValueError(
            f"temperature {temperature} must be positive, k {k} not negative, and "
            f"p {p} above 0 and at most 1"
        )
    log_p = torch.tensor(scores)[None].log_softmax(dim=1)
    cut = adjusted(log_p, temperature, k or None, None if p == 1 else p)
    return cut[0].exp().numpy()


def perplexity(q: np.ndarray) -> float:
    """exp(entropy): how many equally probable choices are as uncertain as q."""
    kept = q[q > 0]
    return float(np.exp(-(kept * np.log(kept)).sum()))


def draw_sampler(
    scores: np.ndarray,
    names: Sequence[str],
    temperature: float = 1.0,
    k: int = 0,
    p: float = 1.0,
    prompt: str = "",
    shown: int = 24,
) -> Picture:
    """The model's distribution over the next token, and what is left to draw from."""
    plain, q = reshaped(scores), reshaped(scores, temperature, k, p)
    order = np.argsort(-plain, kind="stable")[:shown]
    fig, ax = figure(8.6, 3.4)
    places = np.arange(len(order))
    ax.bar(places, plain[order], 0.8, color=GREY, label="the model")
    ax.bar(places, q[order], 0.45, color=BLUE, label="what we draw from")
    ax.set_xticks(places, [names[i] for i in order])
    kept = int((q > 0).sum())
    ax.set(xlabel="next token, most probable first", ylabel="probability", ylim=(0, 1))
    rule = f"temperature {temperature:g}, top-k {k or 'all'}, top-p {p:g}"
    ax.set_title(f"{prompt}{rule}", fontsize=11)
    ax.legend(loc="upper right")
    return fig, (
        f"Next-token probabilities with {rule}: {kept} of {len(q)} tokens remain; "
        f"the distribution is as uncertain as {perplexity(q):.1f} equal choices, the "
        f"model's own as {perplexity(plain):.1f}."
    )


def draw_words(
    points: np.ndarray, words: Sequence[str], pairs: Sequence[tuple]
) -> Picture:
    """Words on a plane, and an arrow from the first to the second of each pair."""
    fig, ax = figure(7.4, 4.4)
    ax.scatter(*points.T, s=26, color=BLUE)
    for word, (x, y) in zip(words, points, strict=True):
        ax.annotate(word, (x, y), (5, 5), textcoords="offset points")
    place = dict(zip(words, points, strict=True))
    for a, b in pairs:
        arrow = {"arrowstyle": "->", "color": ORANGE, "shrinkA": 5, "shrinkB": 5}
        ax.annotate("", place[b], place[a], arrowprops=arrow)
    ax.margins(0.15)
    ax.set(xlabel="first direction", ylabel="second direction")
    listed = ", ".join(f"{a} to {b}" for a, b in pairs)
    return fig, (
        f"{len(words)} words on a plane; the arrows {listed} point almost the same way "
        "and are almost equally long."
    )


def draw_rolls(
    tunes: Mapping[str, Sequence[tuple]], bar: float, bars: int = 8
) -> Picture:
    """Piano rolls, one under the other: time to the right, pitch upwards.

    tunes  title -> notes (start, length, pitch), in eighths;  bar  eighths in a bar
    """
    fig, axes = figure(8.6, 2.3 * len(tunes), len(tunes), 1)
    for ax, (title, notes) in zip(np.atleast_1d(axes), tunes.items(), strict=True):
        _roll(ax, [note for note in notes if note[0] < bars * bar], bar, bars)
        ax.set_title(title, fontsize=11)
    return fig, (
        f"Piano rolls of {len(tunes)} tunes, {bars} bars each: "
        + "; ".join(tunes)
        + ". Each stroke is a note, its height the pitch, its length the duration."
    )


def _roll(ax: Axes, notes: Sequence[tuple], bar: float, bars: int) -> None:
    for start, length, pitch in notes:
        ax.plot(
            [start, start + 0.85 * length],
            [pitch, pitch],
            color=BLUE,
            linewidth=5,
            solid_capstyle="butt",
        )
    pitches = [pitch for *_, pitch in notes]
    ticks = [p for p in range(min(pitches) - 1, max(pitches) + 2) if p % 12 in (2, 9)]
    ax.set_yticks(ticks, [f"{NAMES[p % 12]}{p // 12 - 1}" for p in ticks])
    ax.set_xticks(np.arange(bars + 1) * bar, [str(n) for n in range(bars + 1)])
    ax.grid(axis="x", color=GREY, alpha=0.5)
    ax.set(xlabel="time (bars)", ylabel="pitch", xlim=(0, bars * bar))


def draw_reading(reviews: Sequence[tuple[str, np.ndarray]]) -> Picture:
    """How sure a critic is after every word.  reviews: (text, probabilities (T,))"""
    fig, axes = figure(8.6, 2.5 * len(reviews), len(reviews), 1)
    for ax, (text, says) in zip(np.atleast_1d(axes), reviews, strict=True):
        places = np.arange(len(says))
        colours = [GREEN if value > 0.5 else ORANGE for value in says]
        ax.bar(places, np.asarray(says) - 0.5, 0.7, bottom=0.5, color=colours)
        ax.axhline(0.5, color=INK, linewidth=1)
        ax.set_xticks(places, text.split(), rotation=30, ha="right")
        ax.set(xlabel="word just read", ylabel="p(kind)")
        ax.set(ylim=(0, 1), yticks=[0, 0.5, 1])
    ends = ", ".join("kind" if says[-1] > 0.5 else "harsh" for _, says in reviews)
    return fig, (
        "Probability that a review is kind after each of its words, for two reviews "
        f"made of the same words. The verdicts at the end: {ends}."
    )


def draw_attribution(text: str, share: np.ndarray) -> Picture:
    """How much each letter read matters for the next guess.  share (len(text),)"""
    if len(text) != len(share):
        raise ValueError(f"{len(text)} letters but {len(share)} shares: one for each")
    fig, ax = figure(8.6, 2.4)
    places = np.arange(len(text))
    ax.bar(places, share, 0.8, color=ORANGE)
    ax.set_xticks(places, [letter.replace(" ", "␣") for letter in text])
    ax.set(xlabel="letters read, the guess comes next", ylabel="share of the gradient")
    half = len(text) - int(np.searchsorted(np.cumsum(share[::-1]), share.sum() / 2)) - 1
    return fig, (
        f"Gradient of the next guess by each of {len(text)} letters read; the last "
        f"{len(text) - half} of them hold half of it."
    )


def draw_skill(
    errors: Mapping[str, np.ndarray], runs: np.ndarray, unit: str, name: str
) -> Picture:
    """Error against months ahead: simple rules as lines, the network as a band.

    errors  rule -> (months,);  runs  (seeds, months)
    """
    fig, ax = figure(8.6, 3.6)
    months = np.arange(1, runs.shape[1] + 1)
    for (rule, error), colour in zip(
        errors.items(), (YELLOW, PURPLE, GREEN, GREY), strict=False
    ):
        ax.plot(months, error, color=colour, label=rule)
    ax.fill_between(months, runs.min(axis=0), runs.max(axis=0), color=BLUE, alpha=0.3)
    ax.plot(months, runs.mean(axis=0), "o-", color=BLUE, label="LSTM (worst to best)")
    ax.set(xlabel="months ahead", ylabel=f"error, root mean square\n({unit})")
    ax.set(xticks=months[::1], ylim=(0, None))
    ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return fig, (
        f"Forecast error of {name} against months ahead for {', '.join(errors)} and "
        f"{len(runs)} LSTMs drawn as a band."
    )
