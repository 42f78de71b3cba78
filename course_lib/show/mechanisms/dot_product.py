r"""Scaled dot-product attention with numbers: every product where its factors meet.

A product of matrices stands right of its left factor and below its right factor, so
each entry lies where a row of the one meets a column of the other.
"""

import numpy as np
import torch

from course_lib.models.attention import attention
from course_lib.show.diagram import (
    Arrow,
    Box,
    Diagram,
    Step,
    Tensor,
    above,
    left_of,
    right_of,
)

# N = 3 queries, M = 4 keys and values, d_q = 2, d_v = 3
Q = np.array([[1.0, 0.5], [-0.5, 1.5], [2.0, -1.0]])
K = np.array([[1.5, 0.0], [0.0, 2.0], [1.0, -1.0], [-1.0, 0.5]])
V = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [-1.0, 0.5, 0.5]])
ASKS, FOUND = 1, 1  # the query and the key that are followed through the steps


def numbers() -> dict[str, np.ndarray]:
    """Scores and weights (N, M), and what was read (N, d_v)."""
    q, k, v = (torch.tensor(array) for array in (Q, K, V))
    made = attention(q, k, v)
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    return {"S": scores, "A": made.weights.numpy(), "Y": made.output.numpy()}


MADE = numbers()
SUM = " + ".join(f"{q:g} · {k:g}" for q, k in zip(Q[ASKS], K[FOUND], strict=True))
SUM = f"({SUM}) / 1.41 = {MADE['S'][ASKS, FOUND]:.2f}".replace("-", "−")
STEPS = (
    Step(
        "Scores",
        "Q > S, K > S",
        r"$S = Q\,K^{\!\top\!}/\sqrt{d_q}$",
        f"Each query is compared with each key. The marked score is row {ASKS + 1} of "
        f"Q times column {FOUND + 1} of the keys, divided by the root of 2: {SUM}.",
        mark={"Q": (ASKS, None), "K": (None, FOUND), "S": (ASKS, FOUND)},
    ),
    Step(
        "Weights",
        "S > softmax > A",
        r"$A = \mathrm{softmax}(S)$ along each row",
        "Within each row the scores become weights that add up to 1. The marked query "
        f"gives {MADE['A'][ASKS, FOUND]:.0%} of its attention to key {FOUND + 1}.",
        mark={"S": (ASKS, None), "A": (ASKS, None)},
    ),
    Step(
        "Weighted values",
        "A > Y, V > Y",
        r"$Y = A\,V$",
        "Each row of Y is the mean of the values, weighted by the same row of A. "
        "As many rows come out as there were queries.",
        mark={"A": (ASKS, None), "Y": (ASKS, None)},
    ),
)
DESCRIPTION = (
    "Scaled dot-product attention with numbers. Three queries Q times the transposed "
    "keys, divided by the root of d_q, give a grid of three by four scores S. A "
    "softmax along each row makes the weights A. The weights times the values V give "
    "three rows of output Y."
)


def dot_product_attention() -> Diagram:
    """Q meets the keys in S; the weights A meet the values in Y."""
    n = MADE
    grid = {"cell": (0.53, 0.32)}
    low = grid | {"side": "bottom"}
    S = Tensor("S", n["S"], label="$S$", shape="$(N, M)$", at=(2.9, 0.9), **low)
    style = {"label": "$Q$", "shape": "$(N, d_q)$", "role": "query"}
    q = left_of(S, Tensor("Q", Q, **low, **style), gap=0.3)
    style = grid | {"label": r"$K^{\!\top\!\!}$", "shape": "$(d_q, M)$", "role": "key"}
    k = above(S, Tensor("K", K.T, **style), gap=0.3)
    softmax = right_of(S, Box("softmax", "softmax", high=0.96), gap=0.3)
    style = {"label": "$A$", "shape": "$(N, M)$", "role": "weight"}
    a = right_of(softmax, Tensor("A", n["A"], limit=1.0, **low, **style), gap=0.3)
    style = {"label": "$Y$", "shape": "$(N, d_v)$", "role": "output"}
    y = right_of(a, Tensor("Y", n["Y"], **low, **style), gap=0.3)
    style = grid | {"label": "$V$", "shape": "$(M, d_v)$", "role": "value"}
    v = above(y, Tensor("V", V, **style), gap=0.3)
    return Diagram(
        "Scaled dot-product attention",
        (q, k, S, softmax, a, v, y, *_arrows()),
        steps=STEPS,
        describes=DESCRIPTION,
        beside=False,
    )


def _arrows() -> list[Arrow]:
    return [
        Arrow("Q", "S", role="query"),
        Arrow("K", "S", role="key"),
        Arrow("S", "softmax"),
        Arrow("softmax", "A", role="weight"),
        Arrow("A", "Y", role="weight"),
        Arrow("V", "Y", role="value"),
    ]
