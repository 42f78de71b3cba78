r"""Scaled dot-product attention with numbers: every product where its factors meet.

A product of matrices stands right of its left factor and below its right factor, so
each entry lies where a row of the one meets a column of the other.
"""

from dataclasses import replace

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
    output, weights = attention(q, k, v)
    assert weights is not None  # None only where they are not asked for
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    return {"S": scores, "A": weights.numpy(), "Y": output.numpy()}


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
    S = replace(_matrix("S", n["S"], "$(N, M)$", "plain"), at=(2.9, 0.9))
    q = left_of(S, _matrix("Q", Q, "$(N, d_q)$", "query"), gap=0.3)
    k = _matrix("K", K.T, "$(d_q, M)$", "key", side="top")
    k = above(S, replace(k, label=r"$K^{\!\top\!\!}$"), gap=0.3)
    softmax = right_of(S, Box("softmax", "softmax", high=0.96), gap=0.3)
    a = replace(_matrix("A", n["A"], "$(N, M)$", "weight"), limit=1.0)
    a = right_of(softmax, a, gap=0.3)
    y = right_of(a, _matrix("Y", n["Y"], "$(N, d_v)$", "output"), gap=0.3)
    v = above(y, _matrix("V", V, "$(M, d_v)$", "value", side="top"), gap=0.3)
    return Diagram(
        "Scaled dot-product attention",
        (q, k, S, softmax, a, v, y, *_arrows()),
        steps=STEPS,
        describes=DESCRIPTION,
        beside=False,
    )


def _matrix(
    name: str, values: np.ndarray, shape: str, role: str, side: str = "bottom"
) -> Tensor:
    """A matrix with its name and shape at one side."""
    cell, label = (0.53, 0.32), f"${name}$"
    made = Tensor(name, values, label=label, shape=shape, side=side, cell=cell)
    return replace(made, role=role)


def _arrows() -> list[Arrow]:
    return [
        Arrow("Q", "S", role="query"),
        Arrow("K", "S", role="key"),
        Arrow("S", "softmax"),
        Arrow("softmax", "A", role="weight"),
        Arrow("A", "Y", role="weight"),
        Arrow("V", "Y", role="value"),
    ]
