r"""The KV cache: one more token asks, and everything older was kept.

The words of lecture 09's `self_attention`, in another order: word 2 is written last, so
its row of that picture is all that has to be computed.
"""

from dataclasses import replace

import numpy as np

from course_lib.show.diagram import (
    Arrow,
    Box,
    Diagram,
    Step,
    Tensor,
    above,
    frame,
    left_of,
    right_of,
)
from course_lib.show.mechanisms.self_attention import W_K, W_Q, W_V
from course_lib.show.mechanisms.self_attention import X as WORDS

PAST, NEW = WORDS[[0, 2]], WORDS[1]  # two tokens were written, one is new
CELL = (0.3, 0.3)


def numbers() -> dict[str, np.ndarray]:
    """What was kept, K (4, 2) and V (2, 1), and one row of everything else."""
    q, k, v = (NEW[None] @ W.T for W in (W_Q, W_K, W_V))
    kept_k, kept_v = PAST @ W_K.T, PAST @ W_V.T
    scores = q @ np.vstack([kept_k, k]).T / 2
    weights = np.exp(scores) / np.exp(scores).sum()
    made = {"q": q, "k": k.T, "v": v, "K": kept_k.T, "V": kept_v}
    read = weights @ np.vstack([kept_v, v])
    return made | {"S": scores, "A": weights, "y": read}


MADE = numbers()
STEPS = (
    Step(
        "One row comes in",
        "x > W_Q > q, x > W_K > k, x > W_V > v",
        r"$q_l = W_Q x_l,\quad k_l = W_K x_l,\quad v_l = W_V x_l$",
        "The new token alone goes through the three matrices. Its key and its value "
        "join those that were kept, and are kept from now on.",
    ),
    Step(
        "It asks all keys",
        "K_kept, q > S, k, K > S > softmax > A",
        r"$a_l = \mathrm{softmax}(q_l K^{\!\top\!}/\sqrt{4})$",
        "One query, one row of scores: against the keys of all tokens so far. None of "
        "the older keys is computed again.",
    ),
    Step(
        "It reads all values",
        "V_kept, V, v > y, A > y",
        r"$y_l = a_l V$",
        f"The weighted mean of all values so far is {MADE['y'][0, 0]:.2f}. The older "
        "rows of the output were made when their tokens were new.",
    ),
)
DESCRIPTION = (
    "Attention with a KV cache. Keys and values of two older tokens were kept. The new "
    "token makes one query, one key and one value; key and value are put beside the "
    "kept ones. One row of scores, one row of weights and one row of output are "
    "computed, where all positions at once would need three."
)


def kv_cache() -> Diagram:
    """The picture of self-attention by hand, with a single row in it."""
    n = MADE
    S = replace(_grid("S", n["S"], "$s_3$ $(1, 3)$", "plain", "bottom"), at=(4.2, 0.0))
    q = left_of(S, _grid("q", n["q"], "$q_3$ $(1, d_q)$", "query", "bottom"), gap=0.4)
    kept = above(S, _grid("K", n["K"], "", "key", "top"), gap=0.55)
    kept = replace(kept, at=(S.at[0] - CELL[0] / 2 - 0.05, kept.at[1]))
    k = right_of(kept, _grid("k", n["k"], "$k_3$", "key", "right"), gap=0.1)
    softmax = right_of(S, Box("softmax", "softmax", high=0.36), gap=0.3)
    a = _grid("A", n["A"], "$a_3$ $(1, 3)$", "weight", "bottom")
    a = right_of(softmax, replace(a, cell=(0.48, 0.3), limit=1.0), gap=0.3)
    y = _grid("y", n["y"], "$y_3$ $(1, 1)$", "output", "bottom")
    y = right_of(a, replace(y, cell=(0.5, 0.3)), gap=0.4)
    v = above(y, _grid("v", n["v"], "$v_3$", "value", "left"), gap=0.35)
    old = above(v, _grid("V", n["V"], "", "value", "right"), gap=0.1)
    x = left_of(q, _grid("x", NEW[None], "$x_3$ $(1, d)$", "input", "bottom"), gap=1.1)
    frames = (
        frame("K_kept", [kept], "K kept", pad=(0.16, 0.1, 0.02, 0.34), role="key"),
        frame("V_kept", [old], "V kept", pad=(0.3, 0.02, 0.3, 0.34), role="value"),
    )
    grids = (x, q, kept, k, S, softmax, a, old, v, y)
    return Diagram(
        "KV cache",
        (*frames, *grids, *_maps(x, q, k, v)),
        steps=STEPS,
        describes=DESCRIPTION,
        beside=False,
    )


def _grid(name: str, values: np.ndarray, label: str, role: str, side: str) -> Tensor:
    whole = np.array_equal(values, values.astype(int))
    values = values.astype(int) if whole else values
    return Tensor(name, values, role=role, label=label, side=side, cell=CELL)


def _maps(x: Tensor, q: Tensor, k: Tensor, v: Tensor) -> list:
    """The three matrices, and all arrows."""
    box = {"role": "parameter", "wide": 0.56, "high": 0.34}
    w_q = right_of(x, Box("W_Q", "$W_Q$", **box), gap=0.27)
    over = k.box[3] + 0.55
    w_k = replace(Box("W_K", "$W_K$", **box), at=(w_q.at[0], over))
    w_v = replace(Box("W_V", "$W_V$", **box), at=(w_q.at[0], over + 0.5))
    return [
        w_q,
        w_k,
        w_v,
        Arrow("x", "W_Q", role="input"),
        Arrow("x.top", "W_K.left", role="input"),
        Arrow("x.top", "W_V.left", role="input"),
        Arrow("W_Q", "q", role="query"),
        Arrow("W_K.right", "k.top", role="key"),
        Arrow("W_V.right", "v.right", role="value", bend=v.box[2] + 0.5),
        Arrow("q", "S", role="query"),
        Arrow("K.bottom", "S.top:0.33", role="key"),
        Arrow("S", "softmax"),
        Arrow("softmax", "A", role="weight"),
        Arrow("A", "y", role="weight"),
        Arrow("v", "y", role="value"),
    ]
