r"""Pictures of lecture 09: weights with words on the axes, blocks, an explorer.

The explorer is a head one can hold in the hand: eight words whose vectors were written
down, not learned, three choices of W_q and W_k, a mask and a temperature $\tau$, and
$A = \text{softmax}(Q K^\top / (\tau \sqrt{d_q}))$ drawn beside its scores.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.image import AxesImage

from course_lib.models.attention import causal_mask, masked_softmax
from course_lib.show.plots import (
    BLUE,
    ORANGE,
    PALETTE,
    Picture,
    figure,
    heat_map,
    seed_rows,
)

WORDS = ("the", "cat", "saw", "a", "tiger", "and", "it", "ran")
KINDS = ("article", "noun", "verb", "joining word", "pronoun")
KIND_OF = (0, 1, 2, 0, 1, 3, 4, 2)
HEADS = ("same kind of word", "the word before", "nouns, for pronouns")
MASKS = ("none", "causal", "window of 3", "not oneself")
STRENGTH = 4.0  # the score of a match, before the temperature


@dataclass(frozen=True)
class Reading:
    """One head over the eight words."""

    scores: np.ndarray  # (8, 8) q.k / sqrt(d_q)
    mask: np.ndarray  # (8, 8) True = may look
    weights: np.ndarray  # (8, 8)

    @property
    def words_read(self) -> np.ndarray:
        r"""exp of the entropy of each row: how many words it reads in effect."""
        logs = np.log(np.maximum(self.weights, 1e-300))
        return np.exp(-(self.weights * logs).sum(axis=1))


def queries_and_keys(head: str) -> tuple[np.ndarray, np.ndarray]:
    """Q and K of one head, each (8, d_q), read off the kind and the place of a word."""
    kinds = np.eye(len(KINDS))[list(KIND_OF)]  # (8, 5)
    places = np.eye(len(WORDS))  # (8, 8)
    if head == "same kind of word":
        return kinds, kinds
    if head == "the word before":
        return np.eye(len(WORDS), k=-1), places  # the first word asks for nothing
    if head == "nouns, for pronouns":
        asks = np.zeros_like(kinds)
        asks[:, 1] = kinds[:, 4]  # a pronoun asks for nouns
        return asks, kinds
    raise ValueError(f"no head {head!r}: expected one of {HEADS}")


def mask_of(name: str) -> np.ndarray:
    """(8, 8), True = may look."""
    n = len(WORDS)
    distance = np.abs(np.subtract.outer(np.arange(n), np.arange(n)))
    masks = {
        "none": np.ones((n, n), bool),
        "causal": causal_mask(n).numpy(),
        "window of 3": distance <= 1,
        "not oneself": distance > 0,
    }
    if name not in masks:
        raise ValueError(f"no mask {name!r}: expected one of {MASKS}")
    return masks[name]


def read(head: str, mask: str = "none", temperature: float = 1.0) -> Reading:
    """The weights of a head under a mask at a temperature."""
    if not temperature > 0:
        raise ValueError(f"temperature {temperature}: it must be above 0 to divide by")
    q, k = queries_and_keys(head)
    scores = (STRENGTH * q) @ k.T  # the length of q makes up for the sqrt(d_q)
    allowed = mask_of(mask)
    cold = torch.from_numpy(scores / temperature)
    weights = masked_softmax(cold, torch.from_numpy(allowed)).numpy()
    return Reading(scores, allowed, weights)


def word_map(
    ax: Axes,
    weights: np.ndarray,
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    values: bool = False,
    limit: float = 1.0,
) -> AxesImage:
    """Weights as squares: a row for each word that asks, a column for each it reads."""
    image = heat_map(
        ax, np.asarray(weights), diverging=False, values=values, limit=limit
    )
    ax.set_xticks(range(len(columns)), columns, rotation=45, ha="right")
    ax.set_yticks(range(len(rows)), rows)
    ax.tick_params(length=0)
    return image


def draw_maps(
    maps: Mapping[str, np.ndarray],
    names: Sequence[str],
    says: str,
    *,
    values: bool = False,
    limit: float = 1.0,
    size: tuple[float, float] = (9.4, 3.4),
) -> Picture:
    """One map of weights for each entry; names stand along both axes, or letters."""
    fig, axes = figure(*size, 1, len(maps))
    letters = max(map(len, names)) == 1
    for ax, (title, weights) in zip(np.atleast_1d(axes), maps.items(), strict=True):
        word_map(ax, weights, names, names, values=values, limit=limit)
        if letters:
            ax.set_xticks(range(len(names)), names, rotation=0, ha="center", fontsize=9)
            ax.set_yticks(range(len(names)), names, fontsize=9)
        ax.set(title=title, xlabel="key of", ylabel="query of")
    image = fig.axes[0].images[0]  # all have the same scale
    fig.colorbar(image, ax=axes, label="weight", extend="max" if limit < 1 else None)
    return fig, says


def draw_distances(shares: Mapping[str, np.ndarray], says: str) -> Picture:
    """How much weight goes to letters 0, 1, 2, … places back: a line for each head."""
    fig, ax = figure(8, 3.0)
    for name, share in shares.items():
        ax.plot(range(len(share)), share, "o-", label=name)
    ax.set(xlabel="places back", ylabel="mean weight", ylim=(0, 1))
    ax.set_xticks(range(max(map(len, shares.values()))))
    ax.legend()
    return fig, says


def draw_nats(
    results: Mapping[str, Sequence[float]], tables: Mapping[str, float]
) -> Picture:
    """Loss on unseen plays: a point for each network, a line for each n-gram table."""
    fig, ax = figure(9, 0.8 + 0.42 * len(results))
    seed_rows(ax, results)
    for (name, value), colour in zip(tables.items(), PALETTE[1:], strict=False):
        ax.axvline(value, color=colour, linestyle="--", label=name)
    ax.set(xlabel="nats a letter on the test plays (less is better)", ylabel="network")
    fig.legend(loc="outside lower center", ncols=len(tables))
    rows = ", ".join(results)
    alt = (
        "Losses on unseen plays, a point for every network, n-gram tables as dashed "
        f"lines: {', '.join(tables)}. Rows from the top: {rows}."
    )
    return fig, alt


def draw_saturation(
    widths: Sequence[int],
    largest: Mapping[str, Sequence[float]],
    jacobian: Mapping[str, Sequence[float]],
) -> Picture:
    """The winner's weight and the size of the softmax Jacobian against the width."""
    fig, axes = figure(9, 3.2, 1, 2)
    for name, colour in zip(largest, (BLUE, ORANGE), strict=True):
        axes[0].plot(widths, largest[name], "o-", color=colour, label=name)
        axes[1].plot(widths, jacobian[name], "o-", color=colour)
    axes[0].set(title="how peaked", ylabel="winner's weight", ylim=(0, 1))
    axes[1].set(title="how trainable", ylabel="norm of (4)", yscale="log")
    for ax in axes:
        ax.set(xscale="log", xlabel="width $d$")
    fig.legend(loc="outside lower center", ncols=2)
    alt = (
        "Left: without the root the winner of 16 keys gets nearly all the weight at "
        "width 1024, with it a quarter at every width. Right: without the root the "
        "norm of the softmax Jacobian falls by orders of magnitude, with it it stays."
    )
    return fig, alt


def draw_explorer(
    head: str = HEADS[0], mask: str = "none", temperature: float = 1.0
) -> Picture:
    """The interactive picture: (figure, description)."""
    reading = read(head, mask, temperature)
    fig, (left, right) = figure(9.6, 4.4, 1, 2)
    fig.set_layout_engine(None)  # known sizes: half the time of a slider step
    fig.subplots_adjust(left=0.09, right=0.97, bottom=0.22, top=0.91, wspace=0.3)
    shown = np.where(reading.mask, reading.scores, 0.0)
    word_map(left, shown, WORDS, WORDS, limit=STRENGTH)
    hidden_n, hidden_m = np.nonzero(~reading.mask)
    left.scatter(hidden_m, hidden_n, marker="x", s=30, color="white")
    left.set(
        title=f"scores, 0 or {STRENGTH:.0f} (× masked)",
        xlabel="key of",
        ylabel="query of",
    )
    image = word_map(right, reading.weights, WORDS, WORDS)
    right.set(title="weights", xlabel="value of", ylabel="output for")
    fig.colorbar(image, ax=right, shrink=0.8, label="weight")
    it = reading.weights[WORDS.index("it")]
    most = ", ".join(WORDS[m] for m in np.flatnonzero(it > 0.98 * it.max()))
    mean = reading.words_read.mean()
    alt = (
        f"Head '{head}', mask {mask}, temperature {temperature:.2f}: scores and "
        f"weights of eight words. 'it' reads most from: {most}. "
        f"A word reads {mean:.1f} words on average."
    )
    return fig, alt
