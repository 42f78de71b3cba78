r"""Self-attention by hand: three words of four features, every number a pencil's work.

$W_Q$ doubles, which just undoes the division by $\sqrt 4$; $W_K$ moves every feature on
by one place; $W_V$ makes one number, $v = (1, 2, 3, 4) \cdot x$.
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

X = np.array([[1.0, 0, 1, 0], [0, 1, 0, 0], [0, 0, 1, 1]])  # (N, d_x)
W_Q = 2 * np.eye(4)
W_K = np.roll(np.eye(4), 1, axis=0)
W_V = np.array([[1.0, 2, 3, 4]])
ASKS = 1  # the word that is followed through the steps


def numbers() -> dict[str, np.ndarray]:
    """Q, K (N, 4), V (N, 1), scores and weights (N, N), outputs (N, 1)."""
    q, k, v = X @ W_Q.T, X @ W_K.T, X @ W_V.T
    read, weights = attention(torch.tensor(q), torch.tensor(k), torch.tensor(v))
    assert weights is not None  # None only where they are not asked for
    made = {"Q": q, "K": k, "V": v, "S": q @ k.T / 2}
    return made | {"A": weights.numpy(), "Y": read.numpy()}


MADE = numbers()
TO = [f"{a:.2f} · {v:g}" for a, v in zip(MADE["A"][ASKS], MADE["V"][:, 0], strict=True)]
STEPS = (
    Step(
        "Three roles",
        "X > W_Q > Q, X > W_K > K, X > W_V > V",
        r"$Q = XW_Q^{\!\top\!},\quad K = XW_K^{\!\top\!},\quad V = XW_V^{\!\top\!}$",
        "Each word, a row of X, is turned into a query (what it looks for), a key "
        "(what it is found by) and a value (what it says). Word 2 is marked.",
        mark={"X": (ASKS, None), "Q": (ASKS, None), "K": (None, ASKS), "V": (ASKS, 0)},
    ),
    Step(
        "Scores",
        "Q > S, K > S",
        r"$S = Q\,K^{\!\top\!}/\sqrt{4}$",
        "Every query meets every key. Word 2 asks for the second feature: its query "
        "fits key 1 and no other, (0·0 + 2·1 + 0·0 + 0·1) / 2 = 1.",
        mark={"Q": (ASKS, None), "K": (None, 0), "S": (ASKS, 0)},
    ),
    Step(
        "Weights",
        "S > softmax > A",
        r"$A = \mathrm{softmax}(S)$ along each row",
        "The scores of a word become weights that add up to 1. Word 2 reads mostly "
        "word 1. Word 3 has three equal scores and reads all alike.",
        mark={"S": (ASKS, None), "A": (ASKS, None)},
    ),
    Step(
        "What is read",
        "A > Y, V > Y",
        r"$Y = A\,V$",
        f"Each word gets the mean of the values, weighted by its row of A: word 2 gets "
        f"{' + '.join(TO)} = {MADE['Y'][ASKS, 0]:.2f}.",
        mark={"A": (ASKS, None), "V": (None, 0), "Y": (ASKS, 0)},
    ),
)
DESCRIPTION = (
    "Self-attention with numbers. Three words of four features, X, are turned by three "
    "matrices into queries Q, keys K and values V. Queries times transposed keys give "
    "three by three scores S, a softmax along each row the weights A, and the weights "
    "times the values one output for each word, Y."
)


def attention_by_hand() -> Diagram:
    """X makes Q, K and V; Q meets K in S, the weights A meet V in Y."""
    n = MADE
    S = replace(_grid("S", n["S"], "$(N, N)$", "plain", "bottom"), at=(4.2, 0.9))
    q = left_of(S, _grid("Q", n["Q"], "$(N, d_q)$", "query", "bottom"), gap=0.35)
    k = above(S, _grid("K", n["K"].T, "$(d_q, N)$", "key", "right"), gap=0.35)
    softmax = right_of(S, Box("softmax", "softmax", high=0.96), gap=0.3)
    a = right_of(softmax, _grid("A", n["A"], "$(N, N)$", "weight", "bottom"), gap=0.3)
    y = right_of(a, _grid("Y", n["Y"], "$(N, 1)$", "output", "bottom"), gap=0.35)
    v = above(y, _grid("V", n["V"], "$(N, 1)$", "value", "right"), gap=0.35)
    x = left_of(q, _grid("X", X, "$(N, d_x)$", "input", "bottom"), gap=1.1)
    return Diagram(
        "Self-attention by hand",
        (x, q, k, S, softmax, replace(a, limit=1.0), v, y, *_maps(x, q, k, v)),
        steps=STEPS,
        describes=DESCRIPTION,
        beside=False,
    )


def _grid(name: str, values: np.ndarray, shape: str, role: str, side: str) -> Tensor:
    """A matrix with its name and shape at one side; whole numbers need less room."""
    wide = 0.3 if role in ("input", "query", "key", "value", "plain") else 0.48
    label = r"$K^{\!\top\!\!}$" if name == "K" else f"${name}$"
    style = {"label": label, "shape": shape, "side": side, "cell": (wide, 0.32)}
    whole = np.array_equal(values, values.astype(int))
    return Tensor(name, values.astype(int) if whole else values, role=role, **style)


def _maps(x: Tensor, q: Tensor, k: Tensor, v: Tensor) -> list:
    """The three matrices as boxes, and all arrows."""
    box = {"role": "parameter", "wide": 0.56, "high": 0.34}
    w_q = right_of(x, Box("W_Q", "$W_Q$", **box), gap=0.27)
    w_k = replace(Box("W_K", "$W_K$", **box), at=(w_q.at[0], k.at[1]))
    w_v = above(w_k, Box("W_V", "$W_V$", **box), gap=0.62)
    return [
        w_q,
        w_k,
        w_v,
        Arrow("X", "W_Q", role="input"),
        Arrow("X.top", "W_K.left", role="input"),
        Arrow("X.top", "W_V.left", role="input"),
        Arrow("W_Q", "Q", role="query"),
        Arrow("W_K", "K", role="key"),
        Arrow("W_V.right", "V.top", role="value"),
        Arrow("Q", "S", role="query"),
        Arrow("K", "S", role="key"),
        Arrow("S", "softmax"),
        Arrow("softmax", "A", role="weight"),
        Arrow("A", "Y", role="weight"),
        Arrow("V", "Y", role="value"),
    ]
