"""The building block of every Transformer picture: norm, sub-layer, sum, way around.

The blue line is the residual stream: it carries x past every sub-layer.
"""

from course_lib.show.diagram import Arrow, Box, Op, above
from course_lib.show.diagram.model import Node

QKV = ("query", "key", "value")
LEFT, RIGHT = -1, 1
AROUND = 0.22  # inches between a sub-layer and the line around it


def pre_norm(
    name: str,
    text: str,
    under: Node,
    side: int,
    *,
    wide: float,
    role: str = "parameter",
    first: float = 0.27,
    room: float = 0.18,
) -> tuple[list[Node], list[Arrow]]:
    """x + S(N(x)) above a node: LayerNorm, the sub-layer, the sum, and their arrows.

    side   LEFT or RIGHT: where the residual stream passes the sub-layer
    first  inches from the node below to LayerNorm
    room   inches from LayerNorm to the sub-layer
    """
    norm = Box(f"{name}_norm", "LayerNorm", wide=wide, high=0.26)
    norm = above(under, norm, gap=first)
    layer = above(norm, Box(name, text, wide=wide, high=0.33, role=role), gap=room)
    plus = above(layer, Op(f"{name}_plus", "+", radius=0.13), gap=0.15)
    arrows = [Arrow(under.name, norm.name), *_joined(under, layer, plus, side)]
    return [norm, layer, plus], arrows


def post_norm(
    name: str,
    text: str,
    under: Node,
    side: int,
    *,
    wide: float,
    role: str = "parameter",
    first: float = 0.27,
) -> tuple[list[Node], list[Arrow]]:
    """N(x + S(x)) above a node: the sub-layer, the sum, LayerNorm, and their arrows."""
    layer = above(under, Box(name, text, wide=wide, high=0.33, role=role), gap=first)
    plus = above(layer, Op(f"{name}_plus", "+", radius=0.13), gap=0.15)
    norm = above(plus, Box(f"{name}_norm", "LayerNorm", wide=wide, high=0.26), gap=0.18)
    arrows = [Arrow(under.name, name), *_joined(under, layer, plus, side)]
    return [layer, plus, norm], [*arrows, Arrow(plus.name, norm.name, role="state")]


def _joined(under: Node, layer: Box, plus: Op, side: int) -> list[Arrow]:
    """Into the sum: what the sub-layer made, and x, past it on one side."""
    turn = layer.at[0] + side * (layer.size[0] / 2 + AROUND)
    where = "left" if side == LEFT else "right"
    past = Arrow(f"{under.name}.top", f"{plus.name}.{where}", bend=turn, role="state")
    return [Arrow(layer.name, plus.name), past]


def looks_at_itself(name: str) -> list[Arrow]:
    """Queries, keys and values, all three from the LayerNorm below."""
    shares = zip(("Q", "K", "V"), QKV, (0.22, 0.5, 0.78), strict=True)
    return [
        Arrow(f"{name}_norm.top:{share}", f"{name}.bottom:{share}", f"${q}$", role=role)
        for q, role, share in shares
    ]


def one_way(name: str, role: str = "plain", label: str = "") -> Arrow:
    """From the LayerNorm into its sub-layer."""
    return Arrow(f"{name}_norm", name, label, role=role)
