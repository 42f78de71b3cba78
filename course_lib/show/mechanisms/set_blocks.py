r"""The blocks of the Set Transformer with numbers: MAB, its two uses, and the bridge.

All numbers come from `course_lib.models.sets`, one head of width 3, with weights that
are fixed here. Weights of attention stand as grids, because their shapes are the point:
SAB has $(N, N)$ of them, PMA $(k, N)$, ISAB $(M, N)$ and $(N, M)$.
"""

from dataclasses import replace

import numpy as np
import torch
from torch import Tensor as Array

from course_lib.models.sets import ISAB, MAB
from course_lib.show.diagram import (
    Arrow,
    Box,
    Diagram,
    Op,
    Step,
    Tensor,
    above,
    right_of,
)
from course_lib.show.diagram.model import Node

WIDTH = 3
X = np.array([[1, 0, 0], [0, 2, 0], [0, 0, 1], [1, 1, 0], [0, 1, 2]])  # the set (N, d)
ASKED = np.array([[2, 0, 1], [0, 1, 1]])  # inducing points (M, d)
SEED = ASKED[:1]  # one seed of a PMA
CELL = (0.51, 0.27)
NARROW = (0.3, 0.27)  # for whole numbers


def block() -> MAB:
    """A block whose four projections are the identity, the last one halved."""
    made = MAB(WIDTH, 1, WIDTH).double()
    mixes = torch.tensor([[1.0, -1, 0], [0, 1, -1], [-1, 0, 1]], dtype=torch.float64)
    with torch.no_grad():
        for name in ("W_q", "W_k", "W_v", "W_o"):
            getattr(made.attend, name).copy_(torch.eye(WIDTH))
        made.attend.W_q.mul_(2)  # so that the weights differ visibly
        for layer, weight in ((made.feed[0], mixes), (made.feed[2], 0.5 * mixes.T)):
            assert isinstance(layer, torch.nn.Linear)
            layer.weight.copy_(weight)
            layer.bias.zero_()
    return made


def rows(array: np.ndarray) -> Array:
    return torch.tensor(array, dtype=torch.float64)[None]


def numbers() -> dict[str, np.ndarray]:
    """Everything that stands in the grids below."""
    mab, bridge = block(), ISAB(WIDTH, 1, len(ASKED), WIDTH).double()
    bridge.load_state_dict(
        {"points": rows(ASKED)[0]}
        | {f"gather.{key}": value for key, value in mab.state_dict().items()}
        | {f"give_back.{key}": value for key, value in mab.state_dict().items()}
    )
    with torch.no_grad():
        x = rows(X)
        asked = rows(ASKED)
        hidden = mab.norm_1(asked + mab.attend(asked, x).output)
        itself, pooled, bridged = mab(x, x), mab(rows(SEED), x), bridge(x)
        made = {
            "H": hidden[0],
            "out": mab(asked, x).output[0],
            "SAB_weights": _head(itself.weights),
            "SAB": itself.output[0],
            "PMA_weights": _head(pooled.weights),
            "PMA": pooled.output[0],
            "gathered": _head(bridged.gathered),
            "Z": bridged.summary[0],
            "returned": _head(bridged.returned),
            "Y": bridged.output[0],
        }
    return {name: value.numpy() for name, value in made.items()}


def _head(weights: Array | None) -> Array:
    assert weights is not None  # None only where they are not asked for
    return weights[0, 0]


def _grid(name: str, values: np.ndarray, label: str, shape: str, role: str) -> Tensor:
    """A matrix with its name and shape below it; weights are coloured up to 1."""
    limit = 1.0 if role == "weight" else None
    style = {"label": label, "shape": shape, "side": "bottom", "limit": limit}
    cell = NARROW if values.dtype.kind == "i" else CELL
    return Tensor(name, values, role=role, cell=cell, **style)


MAB_STEPS = (
    Step(
        "Listen",
        "X > heads, Y > heads > plus_1 > norm_1 > H, X > plus_1",
        r"$H = \mathrm{LN}(X + \mathrm{MultiHead}(X, Y, Y))$",
        "Every row of X asks, the rows of Y answer. What was read is added to X, and "
        "each row is normalised. Two rows ask, five answer, two come out.",
    ),
    Step(
        "Think it over alone",
        "H > rff > plus_2 > norm_2 > out, H > plus_2",
        r"$\mathrm{MAB}(X, Y) = \mathrm{LN}(H + \mathrm{rFF}(H))$",
        "rFF is the same small network for each row by itself. Nothing passes from one "
        "row to another here.",
    ),
)


def attention_block() -> Diagram:
    """MAB(X, Y) from left to right, with the way around each of its two halves."""
    made = numbers()
    x = _grid("X", ASKED, "$X$", "$(N, d)$", "query")
    heads = right_of(x, Box("heads", "MultiHead", role="weight", high=0.5), gap=0.4)
    y = above(heads, replace(_grid("Y", X, "$Y$", "$(M, d)$", "value"), side="right"))
    h = _sum("1", heads, _grid("H", made["H"], "$H$", "$(N, d)$", "state"))
    rff = right_of(h[-1], Box("rff", "rFF", role="parameter", high=0.5), gap=0.4)
    out = _sum("2", rff, _grid("out", made["out"], "MAB", "$(N, d)$", "state"))
    arrows = [
        Arrow("X", "heads", role="query"),
        Arrow("Y", "heads", role="value"),
        Arrow("heads", "plus_1"),
        _around(x, h[0]),
        Arrow("H", "rff"),
        Arrow("rff", "plus_2"),
        _around(h[-1], out[0]),
    ]
    for number, end in (("1", "H"), ("2", "out")):
        arrows.append(Arrow(f"plus_{number}", f"norm_{number}"))
        arrows.append(Arrow(f"norm_{number}", end))
    return Diagram(
        "The multi-head attention block",
        (x, heads, y, *h, rff, *out, *arrows),
        steps=MAB_STEPS,
        describes="The multi-head attention block with numbers. The two rows of X ask "
        "the five rows of Y by multi-head attention; the result is added to X and "
        "normalised, which gives H. A row-wise network, added to H and normalised "
        "again, gives the two rows of the output.",
        beside=False,
    )


def _sum(number: str, layer: Node, result: Tensor) -> list[Node]:
    """Right of a layer: the sum, LayerNorm, and what comes out."""
    plus = right_of(layer, Op(f"plus_{number}", "+", radius=0.13), gap=0.18)
    norm = right_of(plus, Box(f"norm_{number}", "LN", high=0.4), gap=0.17)
    return [plus, norm, right_of(norm, result, gap=0.2)]


def _around(start: Node, plus: Node) -> Arrow:
    """The residual connection: from the right of a grid, below its layer, to the +."""
    (turn, y), low = start.edge("right"), start.at[1] - 0.62
    corners = ((turn + 0.19, y), (turn + 0.19, low), (plus.at[0], low))
    ends = f"{start.name}.right", f"{plus.name}.bottom"
    return Arrow(*ends, role="state", via=corners)


USES = (
    Step(
        "SAB: the set asks itself",
        "X > SAB_weights > SAB",
        r"$\mathrm{SAB}(X) = \mathrm{MAB}(X, X)$",
        "Every element reads every element: N rows of N weights. As many rows come out "
        "as went in, and they move when the rows of X move.",
    ),
    Step(
        "PMA: learned seeds ask the set",
        "S > PMA_weights > PMA, X > PMA_weights",
        r"$\mathrm{PMA}(X) = \mathrm{MAB}(S, \mathrm{rFF}(X))$",
        "The k rows of S are parameters. k rows come out, whatever N is, and no order "
        "of X changes them. (Here k = 1, and rFF is left out of the picture.)",
    ),
)


def set_attention_and_pooling() -> Diagram:
    """SAB above, PMA below, from the same set."""
    made = numbers()
    x = _grid("X", X, "$X$", "$(N, d)$", "input")
    weights = _grid("SAB_weights", made["SAB_weights"], "weights", "$(N, N)$", "weight")
    weights = right_of(x, weights, gap=0.6)
    sab = right_of(weights, _grid("SAB", made["SAB"], "SAB", "$(N, d)$", "state"), 0.6)
    reads = _grid("PMA_weights", made["PMA_weights"], "weights", "$(k, N)$", "weight")
    reads = replace(reads, at=(weights.at[0], x.at[1] - 1.75))
    s = _grid("S", SEED, "$S$", "$(k, d)$", "parameter")
    s = replace(s, at=(x.at[0], reads.at[1]))
    pma = right_of(reads, _grid("PMA", made["PMA"], "PMA", "$(k, d)$", "state"), 0.6)
    turn, (x_right, y_right) = reads.box[3] + 0.28, x.edge("right", 0.2)
    down = ((x_right + 0.3, y_right), (x_right + 0.3, turn), (reads.at[0], turn))
    return Diagram(
        "Two uses of the block",
        (
            x,
            weights,
            sab,
            s,
            reads,
            pma,
            Arrow("X", "SAB_weights", role="query"),
            Arrow("SAB_weights", "SAB"),
            Arrow("X.right:0.2", "PMA_weights.top", role="value", via=down),
            Arrow("S", "PMA_weights", role="query"),
            Arrow("PMA_weights", "PMA"),
        ),
        steps=USES,
        describes="Two uses of the attention block. SAB: a set X of five rows reads "
        "itself with five by five weights, and five rows come out. PMA: one learned "
        "row S reads the same set with one row of five weights, and one row comes out.",
        beside=False,
    )


BRIDGE = (
    Step(
        "Gather",
        "I > gathered > Z, X > gathered",
        r"$Z = \mathrm{MAB}(I, X)$",
        "M learned rows, the inducing points, put their questions to the whole set. "
        "The answers Z, M rows, are a summary of it. Each question has N weights.",
    ),
    Step(
        "Give back",
        "X > returned > Y, Z > returned",
        r"$\mathrm{ISAB}(X) = \mathrm{MAB}(X, Z)$",
        "Each element reads the summary and nothing else: N rows of M weights. "
        "Elements meet only by way of the M rows of Z.",
    ),
)


def induced_attention() -> Diagram:
    """ISAB: above the inducing points gather, below each element reads the summary."""
    made = numbers()
    x = _grid("X", X, "$X$", "$(N, d)$", "input")
    asked = _grid("I", ASKED, "$I$", "$(M, d)$", "parameter")
    asked = replace(asked, at=(x.at[0], 2.05), side="top")
    gathered = _grid("gathered", made["gathered"], "weights", "$(M, N)$", "weight")
    gathered = replace(right_of(asked, gathered, gap=0.7), side="top")
    z = replace(_grid("Z", made["Z"], "$Z$", "$(M, d)$", "memory"), side="top")
    z = right_of(gathered, z, gap=0.5)
    returned = _grid("returned", made["returned"], "weights", "$(N, M)$", "weight")
    returned = replace(returned, at=(z.at[0], x.at[1]))
    y = right_of(returned, _grid("Y", made["Y"], "ISAB", "$(N, d)$", "state"), gap=0.6)
    return Diagram(
        "The induced set attention block",
        (
            x,
            asked,
            gathered,
            z,
            returned,
            y,
            Arrow("I", "gathered", role="query"),
            Arrow("X.right:0.75", "gathered.bottom", role="value"),
            Arrow("gathered", "Z"),
            Arrow("X.right:0.35", "returned.left:0.35", role="query"),
            Arrow("Z.bottom", "returned.top", role="value"),
            Arrow("returned", "Y"),
        ),
        steps=BRIDGE,
        describes="The induced set attention block with numbers. Above, two inducing "
        "points read a set of five rows with two by five weights; the answer is the "
        "summary Z of two rows. Below, the five rows of the set read the summary with "
        "five by two weights, and five rows come out.",
        beside=False,
    )
