r"""The block of lecture 12 with numbers: grouped attention that turns, and SwiGLU.

All numbers come from `course_lib.models.modern`, with weights that are fixed here:
three tokens of width 4, two heads of queries, one head of keys and values, each of
width 2.
"""

from dataclasses import replace

import numpy as np
import torch
from torch import nn

from course_lib.models.modern import ModernBlock, angles, rotate
from course_lib.show.diagram import (
    Arrow,
    Box,
    Diagram,
    Op,
    Step,
    Tensor,
    above,
    below,
    right_of,
)

X = np.array([[1, 0, 2, -1], [3, 0, -1, 2], [0, 2, 1, 1]])  # three tokens (T, d)
W_Q = np.array([[1, 0, 0, 0], [0, 1, 0, 1], [0, 0, 1, 0], [1, 0, 0, -1]])
W_K = np.array([[1, 0, 1, 0], [0, 1, 0, -1]])
W_V = np.array([[0, 1, 0, 0], [0, 0, 0, 1]])
W_GATE = np.array([[1, 0, 0, 1], [0, 1, -1, 0], [-1, 0, 0, 1]])
W_UP = np.array([[1, 0, 0, 0], [0, 0, 2, 0], [0, 1, 0, 1]])
W_DOWN = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, -1]])
CELL, NARROW = (0.5, 0.27), (0.3, 0.27)
FOLLOWED = 1  # the row that the words follow


def block() -> ModernBlock:
    """Two heads of queries, one of keys and values; W_o is the identity."""
    made = ModernBlock(4, heads=2, kv_heads=1, d_ff=3).double()
    a, f = made.attend, made.feed
    fixed = {a.W_q: W_Q, a.W_k: W_K, a.W_v: W_V, a.W_o: np.eye(4)}
    fixed |= {f.gate: W_GATE, f.up: W_UP, f.down: W_DOWN}
    with torch.no_grad():
        for layer, weight in fixed.items():
            layer.weight.copy_(torch.tensor(weight))
    return made


def numbers() -> dict[str, np.ndarray]:
    """Everything that stands in the grids, each (T, ...)."""
    made, x = block(), torch.tensor(X, dtype=torch.float64)[None]
    attend, feed = made.attend, made.feed
    with torch.no_grad():
        n = made.norm_1(x)
        q, k, v = (
            attend.split(layer(n), heads)
            for layer, heads in ((attend.W_q, 2), (attend.W_k, 1), (attend.W_v, 1))
        )
        angle = angles(len(X), 2, dtype=torch.float64)
        q_r, k_r = rotate(q, angle), rotate(k, angle)
        later = torch.ones(len(X), len(X), dtype=torch.bool).triu(1)
        scores = (q_r @ k_r.transpose(-2, -1) / 2**0.5).masked_fill(later, -np.inf)
        h = x + attend(n)
        m = made.norm_2(h)
        gate, up = feed.gate(m), feed.up(m)
        found = {
            "n": n[0],
            "Q1": q[0, 0],
            "Q2": q[0, 1],
            "K": k[0, 0],
            "V": v[0, 0],
            "Q1r": q_r[0, 0],
            "Q2r": q_r[0, 1],
            "Kr": k_r[0, 0],
            "A1": scores.softmax(dim=-1)[0, 0],
            "A2": scores.softmax(dim=-1)[0, 1],
            "Y": attend(n)[0],
            "h": h[0],
            "m": m[0],
            "gate": gate[0],
            "open": nn.functional.silu(gate)[0],
            "up": up[0],
            "both": (nn.functional.silu(gate) * up)[0],
            "out": made(x)[0],
        }
    return {name: value.numpy() for name, value in found.items()}


MADE = numbers()
MEAN = float((X[FOLLOWED] ** 2).mean())
ATTENTION = (
    Step(
        "RMSNorm",
        "x > norm > n",
        r"$n = g \odot x\,/\,\sqrt{\mathrm{mean}(x^2) + \epsilon}$",
        f"Each row is divided by its size. Row 2: the mean of the squares is {MEAN:g}, "
        f"its root {MEAN**0.5:.2f}, and 3 / {MEAN**0.5:.2f} = {MADE['n'][1, 0]:.2f}.",
        mark={"x": (FOLLOWED, None), "n": (FOLLOWED, None)},
    ),
    Step(
        "Two heads ask, one answers",
        "n > Q1, n > K, n > Q2, n > V",
        r"$Q = n W_q^{\!\top\!},\quad K = n W_k^{\!\top\!},\quad V = n W_v^{\!\top\!}$",
        "Two heads of queries share one head of keys and values. Only K and V are kept "
        "when the model writes, so the cache is half as large.",
    ),
    Step(
        "RoPE: turn by the position",
        "Q1 > turn_1 > Q1r, K > turn_k > Kr, Q2 > turn_2 > Q2r",
        r"$Q_m \leftarrow R(m\theta)\,Q_m,\quad K_m \leftarrow R(m\theta)\,K_m$",
        "Row m, counted from 0, is a point in the plane, turned by m radians. Row 0 "
        "stays, row 2 goes by 115 degrees. Values are not turned.",
    ),
    Step(
        "Look back, and read",
        "Q1r > A1 > Y, Kr > A1, Q2r > A2 > Y, Kr > A2, V > Y",
        r"$A_i = \mathrm{softmax}(Q_i K^{\!\top\!}/\sqrt{d_h}),\ Y = [A_1 V, A_2 V]$",
        "Causal attention as in lecture 09. Both heads read the same two columns of V, "
        "with weights of their own. Then comes W_o, and the sum with x.",
        mark={"A1": (FOLLOWED, None), "A2": (FOLLOWED, None), "Y": (FOLLOWED, None)},
    ),
)


def grouped_attention() -> Diagram:
    """From x to what both heads have read, left to right."""
    n = _grid("n", "$n$", "$(T, d)$", "state")
    n = replace(n, at=(0.0, 1.75), side="top")
    norm = below(n, Box("norm", "RMSNorm", wide=1.2), gap=0.3)
    x = Tensor("x", X, label="$x$", shape="$(T, d)$", side="bottom", cell=NARROW)
    x = below(norm, replace(x, role="state"), gap=0.3)
    tall, apart = 2.33, 1.2
    rows = {"Q1": tall, "K": tall - apart, "Q2": tall - 2 * apart}
    plain, turned, turns = [], [], []
    for name, y in rows.items():
        role = "key" if name == "K" else "query"
        label = f"${name[0]}_{name[1]}$" if len(name) > 1 else "$K$"
        grid = replace(_grid(name, label, "$(T, d_h)$", role), at=(1.9, y))
        turn = Op(f"turn_{name[-1].lower()}", "$R$", radius=0.15)
        turn = right_of(grid, turn, gap=0.16)
        last = _grid(f"{name}r", label, "turned", role)
        plain, turns = [*plain, grid], [*turns, turn]
        turned.append(right_of(turn, last, gap=0.16))
    v = replace(_grid("V", "$V$", "$(T, d_h)$", "value"), at=(1.9, tall - 3 * apart))
    weights = [
        replace(
            _grid(name, f"$A_{name[1]}$", "$(T, T)$", "weight"),
            at=(turned[0].at[0] + 1.53, y),
            limit=1.0,
        )
        for name, y in (("A1", tall - 0.5 * apart), ("A2", tall - 1.5 * apart))
    ]
    y = _grid("Y", "$Y$", "$(T, d)$", "output")
    y = replace(y, side="top", at=(weights[0].at[0] + 2.05, tall - apart))
    arrows = [
        Arrow("x", "norm"),
        Arrow("norm", "n"),
        *_from_norm(n, [*plain, v]),
        *(Arrow(a.name, t.name) for a, t in zip(plain, turns, strict=True)),
        *(Arrow(t.name, b.name) for t, b in zip(turns, turned, strict=True)),
        Arrow("Q1r.right", "A1.left:0.8", role="query"),
        Arrow("Kr.right:0.75", "A1.left:0.25", role="key"),
        Arrow("Kr.right:0.25", "A2.left:0.75", role="key"),
        Arrow("Q2r.right", "A2.left:0.2", role="query"),
        Arrow("A1.right", "Y.left:0.75", role="weight"),
        Arrow("A2.right", "Y.left:0.25", role="weight"),
        Arrow("V.right", "Y.bottom", role="value"),
    ]
    return Diagram(
        "Attention of the modern block",
        (n, norm, x, *plain, v, *turns, *turned, *weights, y, *arrows),
        steps=ATTENTION,
        describes="Grouped-query attention with numbers. Three rows of x are divided "
        "by their size. They give two heads of queries, one head of keys and one of "
        "values. Queries and keys are turned by their position. Each head of queries "
        "meets the same keys in its own triangle of weights, and both read the same "
        "values; what they have read stands side by side in Y.",
        beside=False,
    )


def _from_norm(n: Tensor, ends: list[Tensor]) -> list[Arrow]:
    """From the normalised rows to each of the grids at the right."""
    start = n.edge("right")[0] + 0.18
    roles = ("query", "key", "query", "value")
    return [
        Arrow("n.right", f"{end.name}.left", role=role, bend=start)
        for end, role in zip(ends, roles, strict=True)
    ]


FEED = (
    Step(
        "Normalise again",
        "h > norm > m",
        r"$n = \mathrm{RMSNorm}(h)$",
        "h is x and what attention has read. The second norm of the block has a gain "
        "of its own.",
    ),
    Step(
        "A gate, and what it lets through",
        "m > gate > silu > open, m > up",
        r"$\mathrm{silu}(n\,W_{\mathrm{gate}}^\top),\qquad n\,W_{\mathrm{up}}^\top$",
        "Two matrices read the same row. One result goes through silu(a) = a · sigmoid"
        "(a): nearly 0 where a is very negative, nearly a where it is large.",
    ),
    Step(
        "Multiply",
        "open > times > both, up > times",
        r"$\mathrm{silu}(n\,W_{\mathrm{gate}}^\top)\odot n\,W_{\mathrm{up}}^\top$",
        "Entry by entry, as an LSTM's gate does. A product of two functions of n: what "
        "one column contributes depends on another.",
        mark={"open": (FOLLOWED, 0), "up": (FOLLOWED, 0), "both": (FOLLOWED, 0)},
    ),
    Step(
        "Back to the stream",
        "both > down > plus > out, h > plus",
        r"$h + (\ldots)\,W_{\mathrm{down}}^\top$",
        "A third matrix brings the d_ff columns back to d, and the stream takes the "
        "result in by a sum.",
    ),
)


def swiglu() -> Diagram:
    """The second half of the block, from h to its output."""
    h = _grid("h", "$h$", "$(T, d)$", "state")
    norm = above(h, Box("norm", "RMSNorm", wide=1.2), gap=0.3)
    m = above(norm, replace(_grid("m", "$n$", "$(T, d)$", "state"), side="top"), 0.3)
    d_ff = r"$(T, d_{\mathrm{ff}})$"
    gate = _grid("gate", r"$n\,W_{\mathrm{gate}}^\top$", d_ff, "plain")
    gate = replace(gate, at=(2.05, m.at[1] + 1.25), side="top")
    up = _grid("up", r"$n\,W_{\mathrm{up}}^\top$", d_ff, "plain")
    up = replace(up, at=(2.05, gate.at[1] - 1.25), side="top")
    silu = right_of(gate, Box("silu", "silu", high=0.4), gap=0.16)
    opened = right_of(silu, _grid("open", "gate", "", "weight"), gap=0.16)
    opened = replace(opened, side="top")
    times = replace(Op("times", "×"), at=(opened.at[0], up.at[1]))
    both = right_of(times, _grid("both", "product", "", "plain"), gap=0.3)
    both = replace(both, side="top")
    down = Box("down", r"$W_{\mathrm{down}}^\top$", role="parameter")
    down = below(both, down, gap=0.2)
    plus = replace(Op("plus", "+", radius=0.15), at=(both.at[0], h.at[1]))
    out = right_of(plus, _grid("out", "$x$", "$(T, d)$", "state"), gap=0.2)
    arrows = [
        Arrow("h", "norm"),
        Arrow("norm", "m"),
        Arrow("m.right:0.8", "gate.left", bend=1.12),
        Arrow("m", "up"),
        Arrow("gate", "silu"),
        Arrow("silu", "open", role="weight"),
        Arrow("open.bottom", "times.top", role="weight"),
        Arrow("up", "times"),
        Arrow("times", "both"),
        Arrow("both", "down"),
        Arrow("down", "plus"),
        Arrow("h.right", "plus.left", role="state"),
        Arrow("plus", "out", role="state"),
    ]
    return Diagram(
        "SwiGLU",
        (h, norm, m, gate, up, silu, opened, times, both, down, plus, out, *arrows),
        steps=FEED,
        describes="The second half of the block with numbers. Three rows h are "
        "normalised; two matrices make a gate and a candidate of each row; the gate "
        "goes through silu and is multiplied with the candidate entry by entry; a "
        "third matrix brings the product back to the width of the stream, where it is "
        "added to h.",
        beside=False,
    )


def _grid(name: str, label: str, shape: str, role: str) -> Tensor:
    """A matrix of MADE with its name and shape below it."""
    made = Tensor(name, MADE[name], label=label, shape=shape, side="bottom", cell=CELL)
    return replace(made, role=role)
