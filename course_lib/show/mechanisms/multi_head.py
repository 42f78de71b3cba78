r"""Two heads by hand: the words, queries and keys of `self_attention`, cut in two.

Each head has two of the four columns. Values are the features themselves, and $W_O$
adds one number that head 1 has read to one that head 2 has read.
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
    below,
    frame,
    left_of,
    right_of,
)
from course_lib.show.diagram.model import Node
from course_lib.show.mechanisms.self_attention import W_K, W_Q, X

W_V = np.eye(4)
W_O = np.array([[1.0, 0, 1, 0], [0, 1, 0, 1], [1, 0, 0, 1], [0, 1, 1, 0]])
HEADS, ASKS = 2, 0  # the word that is followed through the steps
MIDDLE, APART = 0.0, 3.12  # inches: the lower head, and from there to the upper one


def numbers() -> dict[str, np.ndarray]:
    """Of head i: Qi, Ki, Vi (N, 2), Ai (N, N), Yi (N, 2); joined and Y (N, 4)."""
    made = {}
    for i in range(HEADS):
        rows = slice(2 * i, 2 * i + 2)  # of the matrices, so columns of Q, K and V
        q, k, v = (X @ W[rows].T for W in (W_Q, W_K, W_V))
        read, weights = attention(torch.tensor(q), torch.tensor(k), torch.tensor(v))
        assert weights is not None  # None only where they are not asked for
        made |= {f"Q{i + 1}": q, f"K{i + 1}": k, f"V{i + 1}": v}
        made |= {f"A{i + 1}": weights.numpy(), f"Y{i + 1}": read.numpy()}
    joined = np.hstack([made[f"Y{i + 1}"] for i in range(HEADS)])
    return made | {"joined": joined, "Y": joined @ W_O.T}


MADE = numbers()
READS = [int(MADE[f"A{i + 1}"][ASKS].argmax()) for i in range(HEADS)]
EACH = range(1, HEADS + 1)


def _word(*grids: str) -> dict[str, tuple[int | None, int | None]]:
    """The row of the word that is followed, in each of these."""
    return dict.fromkeys(grids, (ASKS, None))


STEPS = (
    Step(
        "Roles for each head",
        ", ".join(f"head{i}, X > W{a}{i} > {a}{i}" for i in EACH for a in "QKV"),
        r"$Q_i = XW_{Q,i}^{\!\top\!},\ K_i = XW_{K,i}^{\!\top\!},\ "
        r"V_i = XW_{V,i}^{\!\top\!}$",
        "Every head has three matrices of its own, each with d / H = 2 rows. So its "
        "queries, keys and values are two numbers wide.",
        mark=_word("X", *(f"Q{i}" for i in EACH)),
    ),
    Step(
        "Each head attends",
        ", ".join(
            f"head{i}, Q{i} > A{i}, K{i} > A{i}, A{i} > Y{i}, V{i} > Y{i}" for i in EACH
        ),
        r"$A_i = \mathrm{softmax}(Q_i K_i^{\!\top\!}/\sqrt{2}),\quad Y_i = A_i V_i$",
        f"Word 1 reads mostly word {READS[0] + 1} in head 1 and mostly word "
        f"{READS[1] + 1} in head 2. Neither head knows of the other.",
        mark=_word(*(f"{a}{i}" for a in "QAY" for i in EACH)),
    ),
    Step(
        "Join and mix",
        "Y1 > joined > WO > Y, Y2 > joined",
        r"$Y = [Y_1\ Y_2]\,W_O^{\!\top\!}$",
        "What the heads have read stands side by side, as wide as the input again. "
        "The last matrix mixes it: here each number of Y adds one from either head.",
        mark=_word("Y1", "Y2", "joined", "Y"),
    ),
)
DESCRIPTION = (
    "Multi-head attention with numbers, three words of width four and two heads of "
    "width two. X is projected for each head to queries, keys and values of its own; "
    f"each head has its weights. Word 1 reads mostly word {READS[0] + 1} in head 1, "
    f"mostly word {READS[1] + 1} in head 2. What both have read is joined to width "
    "four and mixed by one more matrix."
)


def two_heads() -> Diagram:
    """X makes Q, K and V of each head; what the heads read is joined and mixed."""
    upper, ways = _head(1, MIDDLE + APART)
    lower, more = _head(2, MIDDLE)
    x = _grid("X", X, "$X$", "$(N, d)$", "input", "bottom")
    x = left_of(upper[0], x, gap=0.4)
    x = replace(x, at=(x.at[0], MIDDLE + APART / 2 - 0.1))
    after = _joined(upper)
    return Diagram(
        "Multi-head attention",
        (x, *upper, *lower, *after, *ways, *more, *_arrows()),
        steps=STEPS,
        describes=DESCRIPTION,
        beside=False,
    )


def _grid(
    name: str, values: np.ndarray, label: str, shape: str, role: str, side: str
) -> Tensor:
    """A matrix with its name and shape at one side; whole numbers are written so."""
    whole = np.array_equal(values, values.astype(int))
    wide = 0.3 if role in ("input", "query") else 0.46
    style = {"label": label, "shape": shape, "side": side, "cell": (wide, 0.3)}
    return Tensor(name, values.astype(int) if whole else values, role=role, **style)


def _head(i: int, y: float) -> tuple[list[Node], list[Arrow]]:
    """One head: the three matrices first, then its grids and their frame."""
    n, made = MADE, {}
    a = _grid(f"A{i}", n[f"A{i}"], f"$A_{i}$", "$(N, N)$", "weight", "bottom")
    a = replace(a, at=(0.0, y), limit=1.0)
    made["Q"] = _grid(f"Q{i}", n[f"Q{i}"], f"$Q_{i}$", "$(N, 2)$", "query", "bottom")
    made["Q"] = left_of(a, made["Q"], gap=0.36)
    k = rf"$K_{i}^{{\!\top\!\!}}$"
    made["K"] = _grid(f"K{i}", n[f"K{i}"].T, k, "$(2, N)$", "key", "top")
    made["K"] = above(a, made["K"], gap=0.24)
    read = _grid(f"Y{i}", n[f"Y{i}"], f"$Y_{i}$", "$(N, 2)$", "output", "bottom")
    read = right_of(a, read, gap=0.3)
    made["V"] = _grid(f"V{i}", n[f"V{i}"], f"$V_{i}$", "$(N, 2)$", "value", "right")
    made["V"] = above(read, made["V"], gap=0.24)
    pad = (0.12, 0.1, 0.1, 0.62)  # above, the way of the values
    around = frame(f"head{i}", [a, read, *made.values()], f"head {i}", pad)
    boxes, arrows = _matrices(i, around, made)
    grids = [around, *made.values(), a, read]
    arrows += [
        Arrow(f"Q{i}", f"A{i}", role="query"),
        Arrow(f"K{i}", f"A{i}", role="key"),
        Arrow(f"A{i}", f"Y{i}", role="weight"),
        Arrow(f"V{i}", f"Y{i}", role="value"),
    ]
    return [*boxes, *grids], arrows


def _matrices(i: int, around: Node, made: dict) -> tuple[list[Node], list[Arrow]]:
    """W_Q, W_K and W_V of a head, left of its frame, and their arrows."""
    left, over = around.box[0], made["V"].box[3] + 0.24
    levels = {"Q": made["Q"].at[1], "K": made["K"].at[1], "V": over}
    boxes, arrows = [], []
    for name, role in (("Q", "query"), ("K", "key"), ("V", "value")):
        text = f"$W_{{{name},{i}}}$"
        made_box = Box(f"W{name}{i}", text, role="parameter", wide=0.6, high=0.34)
        boxes.append(replace(made_box, at=(left - 0.48, levels[name])))
        parts = boxes[-1].box[0] - 0.2  # where the ways to all six matrices part
        arrows.append(Arrow("X.right", f"W{name}{i}.left", role="input", bend=parts))
        end = f"V{i}.top" if name == "V" else f"{name}{i}"
        arrows.append(Arrow(f"W{name}{i}.right", end, role=role))
    return boxes, arrows


def _joined(head: list[Node]) -> list[Node]:
    """Right of the heads, from the top: joined, the last matrix, the result."""
    (around,) = (node for node in head if node.name == "head1")
    joined = _grid(
        "joined", MADE["joined"], "$[Y_1\\ Y_2]$", "$(N, d)$", "output", "top"
    )
    joined = right_of(around, joined, gap=0.5)
    joined = replace(joined, at=(joined.at[0], MIDDLE + APART / 2 + 0.62))
    mix = below(joined, Box("WO", "$W_O$", role="parameter", high=0.34), gap=0.26)
    out = _grid("Y", MADE["Y"], "$Y$", "$(N, d)$", "output", "bottom")
    return [joined, mix, below(mix, out, gap=0.26)]


def _arrows() -> list[Arrow]:
    """From both heads to the result."""
    return [
        Arrow("Y1.right", "joined.left:0.75", role="output"),
        Arrow("Y2.right", "joined.left:0.25", role="output"),
        Arrow("joined", "WO", role="output"),
        Arrow("WO", "Y", role="output"),
    ]
