"""Pictures of lecture 06: the cost of letters, tokens, sampling, attribution."""

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from jaxtyping import Float, Int

from course_lib.models.longer_training import Row
from course_lib.search import adjusted
from course_lib.show.plots import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    YELLOW,
    Picture,
    figure,
    heat_map,
)

LIVE_STEPS = 300  # of the training on the page of lecture 06


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


def draw_surprise(text: str, bits: Float[np.ndarray, " T"]) -> Picture:
    """What each letter of a line costs; the beginnings of words stand out."""
    if len(text) != len(bits):
        raise ValueError(f"{len(text)} letters but {len(bits)} costs: one for each")
    fig, ax = figure(8.6, 2.8)
    places = np.arange(len(text))
    first = [place == 0 or text[place - 1] == " " for place in places]
    colours = [ORANGE if begins else BLUE for begins in first]
    ax.bar(places, bits, 0.8, color=colours)
    ax.set_xticks(places, [letter.replace(" ", "␣") for letter in text])
    ax.set(xlabel="letter that came (orange: first of a word)", ylabel="bits it cost")
    inside = np.mean(
        [cost for cost, begins in zip(bits, first, strict=True) if not begins]
    )
    return fig, (
        f"Bits that each letter of “{text}” costs a model that counts runs of letters: "
        f"first letters of words {np.mean(bits[first]):.1f} on average, all others "
        f"{inside:.1f}."
    )


def draw_pieces(cuts: Mapping[str, Sequence[str]]) -> Picture:
    """One line of text, cut into ever longer pieces from the top to the bottom."""
    fig, ax = figure(8.6, 0.62 * len(cuts) + 0.7)
    colours = (BLUE, GREEN, YELLOW, PURPLE)
    for row, pieces in enumerate(cuts.values()):
        start = 0
        for number, piece in enumerate(pieces):
            colour = colours[number % len(colours)]
            ax.barh(row, len(piece), 0.72, start, color=colour, alpha=0.35, ec="white")
            text = piece.replace(" ", "␣")
            ax.text(start + len(piece) / 2, row, text, ha="center", va="center")
            start += len(piece)
    labels = [f"{name}\n{len(pieces)} tokens" for name, pieces in cuts.items()]
    ax.set_yticks(range(len(cuts)), labels)
    ax.invert_yaxis()
    ax.set(xlabel="letters", ylabel="after")
    ax.spines[:].set_visible(False)
    counts = ", ".join(f"{len(pieces)} tokens after {n}" for n, pieces in cuts.items())
    return fig, f"One line of text cut into byte-pair tokens: {counts}."


def draw_reach(reach: Mapping[str, np.ndarray]) -> Picture:
    """Which inputs each prediction depends on, one square table for each model."""
    fig, axes = figure(8.6, 3, 1, len(reach))
    for ax, (name, seen) in zip(axes, reach.items(), strict=True):
        heat_map(ax, seen.astype(float), diverging=False)
        ax.set(xlabel="input at $t'$", ylabel="prediction at $t$", title=name)
        ax.set_xticks(range(len(seen)), range(1, len(seen) + 1))
        ax.set_yticks(range(len(seen)), range(1, len(seen) + 1))
    return fig, (
        "What a prediction can see, yellow: for the LSTM and for attention with a mask "
        "the lower triangle, inputs up to t; for attention without a mask everything."
    )


def draw_limit(
    steps: Int[np.ndarray, " N"],
    curves: Float[np.ndarray, "starts N"],
    marks: Mapping[str, float],
) -> Picture:
    """Perplexity divided by the lowest possible one, against training steps."""
    fig, ax = figure(8, 3.4)
    labels = [f"LSTM, {len(curves)} starts", *[None] * (len(curves) - 1)]
    ax.semilogx(steps, curves.T, "o-", color=BLUE, label=labels)
    for (name, mark), style in zip(marks.items(), ("--", ":"), strict=False):
        ax.axhline(mark, color=ORANGE, linestyle=style, label=name)
    ax.axhline(1, color=GREEN, label="the limit $e^\\eta$")
    ax.set(xlabel="training steps (log scale)", ylabel="perplexity / limit")
    ax.set_xticks(steps, steps)
    ax.minorticks_off()
    ax.legend()
    return fig, (
        "Perplexity divided by the limit against training steps: "
        f"{len(curves)} LSTMs fall below {' and '.join(marks)}, drawn as level lines, "
        "and end on the limit."
    )


def draw_beliefs(
    knows: Float[np.ndarray, " T"], lstm: Float[np.ndarray, " T"]
) -> Picture:
    """One probability over time: from the true source, and from the network."""
    fig, ax = figure(8.6, 3)
    ax.plot(knows, color=GREEN, linewidth=5, label="knows the source")
    ax.plot(lstm, color=BLUE, label="LSTM")
    ax.set(xlabel="letter number", ylabel="p(next letter is a)", ylim=(0, 1))
    ax.legend(loc="upper right")
    return fig, (
        f"Probability that the next letter is a, over {len(knows)} letters: the line "
        "of the trained LSTM follows that of the forward algorithm closely through "
        "every change of mood."
    )


def draw_longer(
    rows: Sequence[Row], live: Mapping[str, float], counted: Mapping[str, np.ndarray]
) -> Picture:
    """Nats per letter against training steps, beside the best count of each kind."""
    fig, ax = figure(8.6, 3.8)
    kinds = {"letters": (78, BLUE), "byte pairs": (1024, PURPLE)}
    for name, (V, colour) in kinds.items():
        longer = [row for row in rows if row.V == V]
        steps = [LIVE_STEPS, *(row.steps for row in longer)]
        nats = [live[name], *(row.test for row in longer)]
        ax.semilogx(steps, nats, "o-", color=colour, label=f"LSTM, {name}")
        best = f"best count of {name}"
        ax.axhline(min(counted[name]), color=colour, linestyle=":", label=best)
    ticks = sorted({LIVE_STEPS, *(row.steps for row in rows)})
    ax.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
    ax.minorticks_off()
    ax.set(xlabel="training steps (log scale; the first are live)")
    ax.set(ylabel="nats per letter, test plays")
    ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return fig, (
        "Nats per letter on the test plays against training steps, for LSTMs on "
        "letters and on byte pairs: both lines fall, byte pairs below letters; the "
        "best counts are dotted."
    )


def draw_contexts(
    lengths: Sequence[int], nats: Sequence[float], counted: Float[np.ndarray, " n"]
) -> Picture:
    """What it costs to read only the last few letters, for network and count."""
    fig, ax = figure(8, 3.2)
    ax.semilogx(lengths, nats, "o-", color=BLUE, label="LSTM")
    context = np.arange(1, len(counted))
    ax.semilogx(context, counted[1:], "s--", color=GREY, label="count")
    ax.set_xticks(lengths, lengths)
    ax.minorticks_off()
    ax.set(xlabel="letters read before the guess", ylabel="nats per letter")
    ax.legend()
    return fig, (
        "Nats per letter when only the last few letters are read: the LSTM's line "
        "falls up to about eight letters and is flat after that; the count, with up to "
        "five, falls below it."
    )
