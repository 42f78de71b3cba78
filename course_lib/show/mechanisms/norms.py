r"""Where LayerNorm stands: post-norm of 2017 beside pre-norm, one block of each."""

from collections.abc import Callable

from course_lib.show.diagram import Arrow, Box, Diagram, Step, above, frame
from course_lib.show.mechanisms.sub_layer import (
    LEFT,
    RIGHT,
    one_way,
    post_norm,
    pre_norm,
)

POST, PRE = 1.3, 4.2  # inches from the left
WIDE = 1.6


STEPS = (
    Step(
        "Post-norm",
        "post_block, post_title, "
        "post_x > post_attn > post_attn_plus > post_attn_norm, "
        "post_x > post_attn_plus, post_attn_norm > post_ffn > post_ffn_plus, "
        "post_attn_norm > post_ffn_plus > post_ffn_norm > post_out",
        r"$x \leftarrow \mathrm{LN}(x + S(x))$",
        "The sum is normalised. There is no way from below to the top, for x or "
        "for its gradient, that does not pass through every LayerNorm.",
    ),
    Step(
        "Pre-norm",
        "pre_block, pre_title, pre_x > pre_attn_norm > pre_attn > pre_attn_plus, "
        "pre_x > pre_attn_plus > pre_ffn_norm > pre_ffn > pre_ffn_plus, "
        "pre_attn_plus > pre_ffn_plus > pre_out",
        r"$x \leftarrow x + S(\mathrm{LN}(x))$",
        "Only what enters the sub-layer is normalised. The blue line runs from "
        "below to the top through sums alone; one more LayerNorm stands after the "
        "last block.",
    ),
)
DESCRIPTION = (
    "Two Transformer blocks side by side. Post-norm: after each of self-attention and "
    "feed-forward the result is added to x and the sum is normalised. Pre-norm: x is "
    "normalised on its way into the sub-layer, and the line that carries x meets "
    "nothing but sums."
)


def norm_placement() -> Diagram:
    """The same parts in another order; follow the blue line from below to the top."""
    post, post_arrows = _block("post", POST, post_norm, LEFT, "post-norm (2017)")
    pre, pre_arrows = _block("pre", PRE, pre_norm, RIGHT, "pre-norm")
    inner = [one_way("pre_attn"), one_way("pre_ffn")]
    return Diagram(
        "Norm placement",
        (*post, *pre, *post_arrows, *pre_arrows, *inner),
        steps=STEPS,
        describes=DESCRIPTION,
    )


def _block(
    name: str, x: float, build: Callable, side: int, label: str
) -> tuple[list, list]:
    """Attention and feed-forward with the norm where `build` puts it."""
    style = {"wide": WIDE, "first": 0.45}
    entry = Box(f"{name}_x", "$x$ $(B, T, D)$", role="bare", at=(x, 0.0))
    attn, ways = build(
        f"{name}_attn", "self-attention", entry, side, role="weight", **style
    )
    style["first"] = 0.32
    ffn, more = build(f"{name}_ffn", "feed-forward", attn[-1], side, **style)
    around = frame(f"{name}_block", [*attn, *ffn], pad=(0.36, 0.16, 0.36, 0.2))
    exit_ = above(ffn[-1], Box(f"{name}_out", "$x$ $(B, T, D)$", role="bare"), gap=0.45)
    title = above(exit_, Box(f"{name}_title", label, role="bare"), gap=0.12)
    last = Arrow(ffn[-1].name, exit_.name, role="state")
    return [around, entry, *attn, *ffn, exit_, title], [*ways, *more, last]
