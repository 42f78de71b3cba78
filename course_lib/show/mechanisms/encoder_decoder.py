r"""The whole Transformer of lecture 10: encoder, decoder, three kinds of attention.

Drawn with the norm first, as course_lib.models.transformer computes it by default.
"""

from course_lib.show.diagram import (
    Arrow,
    Box,
    Diagram,
    Op,
    Step,
    above,
    column,
    frame,
    left_of,
    right_of,
)
from course_lib.show.diagram.model import Node
from course_lib.show.mechanisms.sub_layer import (
    LEFT,
    RIGHT,
    looks_at_itself,
    one_way,
    pre_norm,
)

ENCODER, DECODER = 1.38, 4.56  # inches from the left
WIDE = 1.94
Part = tuple[list[Node], list[Arrow]]
Layer = tuple[str, str, str]  # name, text and role of a sub-layer


STEPS = (
    Step(
        "Tokens and positions",
        "e_tokens > e_embed > e_in, e_codes > e_in, e_shape, d_shape, "
        "d_tokens > d_embed > d_in, d_codes > d_in",
        r"$x_n = \sqrt{D}\, E[w_n] + P_n$",
        "Every token becomes a vector of width D, its embedding, and the encoding of "
        "its position is added. From here on all arrays are $(B, T, D)$ or "
        "$(B, U, D)$.",
    ),
    Step(
        "Self-attention",
        "e_block, e_in > self_norm > self > self_plus, e_in > self_plus",
        r"$x \leftarrow x + \mathrm{Attn}(\mathrm{LN}(x))$",
        "Every token of the source looks at every token of the source: queries, keys "
        "and values have one origin. The blue line carries x past the sub-layer: "
        "the residual connection.",
    ),
    Step(
        "Feed-forward",
        "e_block, self_plus > ffn_norm > ffn > ffn_plus > e_out, memory, "
        "self_plus > ffn_plus",
        r"$x \leftarrow x + \mathrm{FFN}(\mathrm{LN}(x))$",
        "A small network at each position alone. Attention and feed-forward "
        "together are one block; N blocks stand on top of each other.",
    ),
    Step(
        "Masked self-attention",
        "d_block, d_in > masked_norm > masked > masked_plus, d_in > masked_plus",
        r"$y \leftarrow y + \mathrm{Attn}_{\mathrm{mask}}(\mathrm{LN}(y))$",
        "The target looks at itself, but each token only at those before it and at "
        "itself. So all positions can be trained at once.",
    ),
    Step(
        "Cross-attention",
        "d_block, masked_plus > cross_norm > cross > cross_plus, "
        "masked_plus > cross_plus, memory, e_out > cross",
        r"$y \leftarrow y + \mathrm{Attn}(\mathrm{LN}(y),\ \mathrm{memory})$",
        "The query comes from the target, keys and values from the top of the "
        "encoder. This is the only way from the source to the target.",
    ),
    Step(
        "Read out",
        "d_block, cross_plus > ffn_2_norm > ffn_2 > ffn_2_plus > d_out, "
        "cross_plus > ffn_2_plus, d_out > linear > said",
        r"$\mathrm{logits} = W\,\mathrm{LN}(y) + b$",
        "After the last block a linear layer gives one logit for each token of the "
        "target vocabulary, at every position; a softmax makes probabilities of them.",
    ),
)
DESCRIPTION = (
    "The Transformer. Left, the encoder: tokens, embedding plus positional encoding, "
    "then N blocks of self-attention and feed-forward. Right, the decoder: N blocks of "
    "masked self-attention, cross-attention, which takes keys and values from the "
    "encoder, and feed-forward; then a linear layer that gives the logits. In each "
    "sub-layer x is normalised first, and a line leads x around it to the sum."
)


def transformer() -> Diagram:
    """Both towers, from the tokens below to the logits above."""
    encoder, encoder_arrows = _encoder()
    decoder, decoder_arrows = _decoder()
    return Diagram(
        "Transformer",
        (*encoder, *decoder, *encoder_arrows, *decoder_arrows, *_memory()),
        steps=STEPS,
        describes=DESCRIPTION,
    )


def _words(tower: str, x: float, text: str, shape: str, side: int) -> Part:
    """The bottom of a tower: tokens, their vectors, and their positions."""
    tokens = Box(f"{tower}_tokens", text, role="bare", at=(x, 0.0))
    embed = Box(f"{tower}_embed", "embedding", role="input", wide=WIDE, high=0.33)
    plus = Op(f"{tower}_in", "+", radius=0.13)
    tokens, embed, plus = column([tokens, embed, plus], gap=0.16)
    outer, inner = (left_of, right_of) if side == LEFT else (right_of, left_of)
    codes = outer(
        plus, Box(f"{tower}_codes", "positional\nencoding", role="bare"), gap=0.3
    )
    name = inner(plus, Box(f"{tower}_shape", shape, role="bare"), gap=0.15)
    arrows = [
        Arrow(tokens.name, embed.name, role="input"),
        Arrow(embed.name, plus.name, role="state"),
        Arrow(codes.name, plus.name, role="input"),
    ]
    return [tokens, embed, plus, codes, name], arrows


def _tower(
    name: str, x: float, words: tuple[str, str], layers: list[Layer], side: int
) -> Part:
    """Words below, then the sub-layers in a frame, then one more LayerNorm."""
    nodes, arrows = _words(name, x, *words, side)
    start, inside = nodes[2], []
    for number, (layer, text, role) in enumerate(layers):
        style = {"wide": WIDE, "role": role, "first": 0.27 if number else 0.44}
        room = 0.29 if role == "weight" else 0.18  # for the letters Q, K and V
        made, ways = pre_norm(layer, text, start, side, room=room, **style)
        inside, arrows, start = [*inside, *made], [*arrows, *ways], made[-1]
    around = frame(f"{name}_block", inside, "× N", pad=(0.33, 0.15, 0.33, 0.27))
    out = Box(f"{name}_out", "LayerNorm", wide=WIDE, high=0.26)
    out = above(start, out, gap=0.38)
    arrows += [Arrow(start.name, out.name, role="state")]
    return [around, *nodes, *inside, out], arrows


def _encoder() -> Part:
    words = ("source tokens $(B, T)$", "$(B, T, D)$")
    layers = [
        ("self", "self-attention", "weight"),
        ("ffn", "feed-forward", "parameter"),
    ]
    nodes, arrows = _tower("e", ENCODER, words, layers, LEFT)
    memory = Box("memory", "memory $(B, T, D)$", role="bare")
    nodes += [above(nodes[-1], memory, gap=0.06)]
    return nodes, [*arrows, *looks_at_itself("self"), one_way("ffn")]


def _decoder() -> Part:
    words = ("target tokens, shifted $(B, U)$", "$(B, U, D)$")
    layers = [
        ("masked", "masked self-attention", "weight"),
        ("cross", "cross-attention", "weight"),
        ("ffn_2", "feed-forward", "parameter"),
    ]
    nodes, arrows = _tower("d", DECODER, words, layers, RIGHT)
    linear = Box("linear", "linear", role="output", wide=WIDE, high=0.33)
    linear = above(nodes[-1], linear, gap=0.17)
    said = above(linear, Box("said", "logits $(B, U, V_y)$", role="bare"), gap=0.15)
    arrows += [
        *looks_at_itself("masked"),
        one_way("cross", "query", "$Q$"),
        one_way("ffn_2"),
    ]
    arrows += [
        Arrow("d_out", "linear", role="state"),
        Arrow("linear", "said", role="output"),
    ]
    return [*nodes, linear, said], arrows


def _memory() -> list[Arrow]:
    """Keys and values of cross-attention come from the encoder."""
    between = (ENCODER + DECODER) / 2
    key = {"role": "key", "bend": between - 0.06, "beside": "left"}
    value = {"role": "value", "bend": between + 0.06, "beside": "right"}
    return [
        Arrow("e_out.right:0.25", "cross.left:0.3", "$K$", **key),
        Arrow("e_out.right:0.75", "cross.left:0.7", "$V$", **value),
    ]
