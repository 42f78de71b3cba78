r"""Additive attention in four steps: scores, weights, context, next state.

The decoder has written "estamos" and is about to write "comiendo".
"""

from dataclasses import replace
from functools import partial

import numpy as np

from course_lib.show.diagram import (
    Arrow,
    Box,
    Diagram,
    Op,
    Step,
    Tensor,
    below,
    column,
    frame,
    right_of,
    row,
)
from course_lib.show.diagram.model import Frame

WORDS = ("we", "are", "eating", "bread")
# features f (T = 4, d_f = 3), a query s (d_q = 2), a score with d_a = 2 hidden units
F = np.array([[0.9, -0.2, 0.1], [0.3, 0.8, -0.4], [-0.5, 0.6, 0.9], [0.1, -0.9, 0.5]])
S = np.array([0.7, -0.5])
W_Q = np.array([[1.0, -0.5], [0.5, 1.0]])
W_K = np.array([[-1.5, 0.5, 1.0], [0.5, 1.5, 1.0]])
W_SCORE = np.array([1.5, 1.5])


def numbers() -> dict[str, np.ndarray]:
    """Scores and weights (T,), the weighted features (T, d_f) and their sum (d_f,)."""
    e = np.tanh(W_Q @ S + F @ W_K.T) @ W_SCORE
    alpha = np.exp(e) / np.exp(e).sum()
    weighted = alpha[:, None] * F
    return {"e": e, "alpha": alpha, "weighted": weighted, "v": weighted.sum(axis=0)}


ALPHA = numbers()["alpha"]
BEST = int(ALPHA.argmax())
FEATURES = "name, " + ", ".join(f"f_{t}" for t in range(1, len(WORDS) + 1))
STEPS = (
    Step(
        "Score",
        f"{FEATURES}, F > score > e, s_prev > score",
        r"$e_{l,t} = w^{\!\top\!}\tanh(W_q\,s_{l-1} + W_k\,f_t)$",
        "A small network compares the decoder's last state, the query, with every "
        "feature of the source. One score for each word.",
    ),
    Step(
        "Softmax",
        "e > softmax > alpha",
        r"$\alpha_l = \mathrm{softmax}(e_l)$",
        f"The scores become weights that add up to 1. Here {ALPHA[BEST]:.0%} "
        f'of the attention goes to "{WORDS[BEST]}".',
        mark={"alpha": (BEST, None)},
    ),
    Step(
        "Weighted sum",
        f"{FEATURES}, F > times > weighted > plus > v, alpha > times",
        r"$v_l = \alpha_{l,1}\,f_1 + \dots + \alpha_{l,T}\,f_T$",
        "Each feature is multiplied by its weight, and the rows are added. The "
        "context is mostly made of the feature with the largest weight.",
        mark={"weighted": (BEST, None)},
    ),
    Step(
        "Write",
        "v > lstm > s > says, v > says, s_prev > lstm, said > lstm",
        r"$s_l = \mathrm{LSTM}(s_{l-1},\ [y_{l-1};\, v_l])$",
        "The decoder reads the context and the word it wrote before. Its new state, "
        "with the context once more, writes the next word, and is the next query.",
    ),
)
DESCRIPTION = (
    "Additive attention. Four features of the words we are eating bread are scored "
    "against the decoder's last state. A softmax turns the scores into weights; the "
    "features times their weights are added up to the context, which the decoder reads "
    "together with its last word, estamos. It writes comiendo."
)
ROW = 0.36  # inches from one source position to the next


def additive_attention() -> Diagram:
    """Positions run downwards, the computation from left to right."""
    n = numbers()
    features, *rows = _features()
    score, *weighing = _weights(features, n)
    *summing, v = _context(weighing[-1], n)
    *decoder, says = _decoder(score, v)
    nodes = [features, *rows, score, *weighing, *summing, v, *decoder, says]
    return Diagram(
        "Additive attention",
        (*nodes, *_arrows(says.box[2] + 0.18)),
        steps=STEPS,
        describes=DESCRIPTION,
        beside=False,
    )


def _features() -> list:
    """The frame that holds them, then one row for each word, then their name."""
    rows = [_feature(t) for t in reversed(range(1, len(WORDS) + 1))]
    rows = column(rows, gap=ROW - rows[0].size[1])
    around = frame("F", rows, pad=0.08, role="memory")
    name = below(around, Box("name", "$f$ $(T, d_f)$", role="bare"), gap=0.05)
    return [around, *rows, name]


def _weights(features: Frame, n: dict[str, np.ndarray]) -> list:
    """Score, scores, softmax, weights."""
    column_of = partial(Tensor, shape="$(T)$", side="bottom", cell=(0.53, ROW))
    score = Box("score", "score", role="parameter", wide=0.66, high=4 * ROW)
    e = column_of("e", n["e"], label="$e_l$")
    softmax = Box("softmax", "softmax", wide=0.74, high=4 * ROW)
    alpha = column_of("alpha", n["alpha"], label=r"$\alpha_l$", limit=1.0)
    alpha = replace(alpha, role="weight")
    return row([right_of(features, score, gap=0.27), e, softmax, alpha], gap=0.24)


def _context(alpha: Tensor, n: dict[str, np.ndarray]) -> list:
    """Features times weights, and their sum, the context, which comes last."""
    style = {"label": r"$\alpha_{l,t}\, f_t$", "cell": (0.52, ROW), "limit": 1.0}
    weighted = Tensor("weighted", n["weighted"], role="memory", **style)
    times, weighted = row([right_of(alpha, Op("times"), gap=0.25), weighted], gap=0.25)
    plus = below(weighted, Op("plus", "+"), gap=0.2)
    v = Tensor("v", n["v"][None], label="$v_l$", side="left", role="output")
    return [times, weighted, plus, below(plus, v, gap=0.2)]


def _feature(t: int) -> Tensor:
    label = f"{WORDS[t - 1]} $f_{t}$"
    made = Tensor(f"f_{t}", F[t - 1][None], label=label, side="left", role="memory")
    return replace(made, cell=(0.52, 0.28))


def _decoder(score: Box, v: Tensor) -> list:
    """One step of the decoder, under the computation of its context."""
    cell = below(v, Box("lstm", "LSTM", role="parameter", high=0.4), gap=0.38)
    before = Tensor("s_prev", S, label="$s_{l-1}$", shape="$(d_q)$", side="left")
    before = replace(before, at=(score.at[0], cell.at[1]), role="state")
    after = Tensor("s", S, label="$s_l$", side="top", numbers=False, role="state")
    after = right_of(cell, after, gap=0.3)
    said = below(cell, Box("said", "estamos", role="bare"), gap=0.25)
    says = below(after, Box("says", "comiendo", role="bare"), gap=0.25)
    return [cell, before, after, said, says]


def _arrows(edge: float) -> list[Arrow]:
    """edge  where the context passes the decoder, inches from the left"""
    return [
        Arrow("F", "score", role="memory"),
        Arrow("s_prev", "score", "query", role="query"),
        Arrow("score", "e"),
        Arrow("e", "softmax"),
        Arrow("softmax", "alpha", role="weight"),
        Arrow("alpha", "times", role="weight"),
        Arrow("F.top", "times.top", role="memory"),
        Arrow("times", "weighted", role="memory"),
        Arrow("weighted", "plus", role="memory"),
        Arrow("plus", "v", role="output"),
        Arrow("v", "lstm", role="output"),
        Arrow("s_prev", "lstm", role="state"),
        Arrow("said", "lstm"),
        Arrow("lstm", "s", role="state"),
        Arrow("s", "says", role="output"),
        Arrow("v.right", "says.right", role="output", bend=edge),
    ]
