"""The library's GPT with the weights of a GPT-2 of transformers: for comparisons."""

from collections.abc import Mapping
from typing import Any

from torch import Tensor

from course_lib.models.gpt import GPT

OUTSIDE = {"embed": "wte", "position": "wpe", "norm": "ln_f"}
LAYER = {"feed.first": "mlp.c_fc", "feed.second": "mlp.c_proj"}
LAYER |= {"norm_attend": "ln_1", "norm_feed": "ln_2"}
KINDS = {"weight": "W", "bias": "b"}


def gpt(theirs: Any) -> GPT:
    """The model that computes the same as a GPT2LMHeadModel; dropout is not copied."""
    shape = theirs.config
    sizes = (shape.n_embd, shape.n_head, shape.n_layer, shape.n_positions)
    ours = GPT(shape.vocab_size, *sizes).to(theirs.transformer.wte.weight)
    ours.load_state_dict(renamed(theirs.state_dict(), shape.n_layer))
    return ours


def renamed(theirs: Mapping[str, Tensor], layers: int) -> dict[str, Tensor]:
    """Weights, or their gradients, under our names; theirs are transposed and packed.

    `c_attn` holds queries, keys and values side by side.
    """
    ours = {}
    for kind, letter in KINDS.items():
        for own, other in OUTSIDE.items():
            if (own, kind) not in (("embed", "bias"), ("position", "bias")):
                ours[f"{own}.{kind}"] = theirs[f"transformer.{other}.{kind}"]
        for n in range(layers):
            block = f"transformer.h.{n}"
            for own, other in LAYER.items():
                ours[f"layers.{n}.{own}.{kind}"] = theirs[f"{block}.{other}.{kind}"]
            joined = f"layers.{n}.attend.{letter}"
            ours[f"{joined}_o"] = theirs[f"{block}.attn.c_proj.{kind}"]
            thirds = theirs[f"{block}.attn.c_attn.{kind}"].chunk(3, dim=-1)
            ours |= {f"{joined}_{k}": t for k, t in zip("qkv", thirds, strict=True)}
    inside = [name for name in ours if name.startswith("layers.")]
    return ours | {n: ours[n].T for n in inside if ours[n].dim() == 2}
