r"""Attention layers: look things up by similarity, with several heads. Lecture 09.

$$\text{Attention}(Q, K, V) = A V, \qquad
A = \text{softmax}\Big(\frac{Q K^\top}{\sqrt{d_q}}\Big) \text{ along the keys.}$$

    out, weights = attention(q, k, v, causal_mask(5))
    layer = MultiHeadAttention(d_model=12, heads=3)
    out, weights = layer(x)                    # self-attention
    out, weights = layer(x, memory, mask)      # cross-attention

Letters: B batch, N queries, M keys and values, H heads. **A mask is True where a query
may look**, as in F.scaled_dot_product_attention; nn.MultiheadAttention says it the
other way round. The edges, and why they behave as they do:

- a query that may look nowhere (or M = 0) gets weights 0 and output 0 before W_o. A
  weighted mean of nothing is 0/0; torch.nn answers nan, which one padded row spreads
  over the whole gradient;
- with one key, M = 1, the weight is exactly 1 whatever the score;
- a batch of 0 sequences, or 0 queries, gives an empty result of the right shape.
"""

from typing import NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from course_lib.shapes import check_shape

Mask = Bool[Tensor, "..."]


class Attended(NamedTuple):
    """What was read, and how much of it came from where."""

    output: Tensor  # (B, N, d)
    weights: Tensor | None  # (B, N, M), with heads (B, H, N, M); None if not asked for


def attention(
    q: Float[Tensor, "*batch N d_q"],
    k: Float[Tensor, "*batch M d_q"],
    v: Float[Tensor, "*batch M d_v"],
    mask: Mask | None = None,
    scale: float | None = None,
    need_weights: bool = True,
) -> Attended:
    r"""Scaled dot-product attention; `scale` is $1/\sqrt{d_q}$ unless given.

    Without the weights torch's fused kernel computes the same output, faster.
    """
    check_qkv(q, k, v)
    check_mask(mask, (*q.shape[:-1], k.shape[-2]))
    if not need_weights:
        output = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, scale=scale)
        return Attended(output, None)
    factor = q.shape[-1] ** -0.5 if scale is None else scale
    scores = q @ k.transpose(-2, -1) * factor  # (..., N, M)
    weights = masked_softmax(scores, mask)
    return Attended(weights @ v, weights)


def masked_softmax(
    scores: Float[Tensor, "*batch N M"], mask: Mask | None = None
) -> Float[Tensor, "*batch N M"]:
    """Softmax along the last axis over the allowed keys; a row without any is 0.

    The lowest finite number stands for minus infinity: its exponential is 0 as well,
    and a row of nothing else has no inf - inf in it: no nan arises, there or on the
    way back.
    """
    if mask is None:
        return scores.softmax(dim=-1)
    lowest = torch.finfo(scores.dtype).min
    weights = scores.masked_fill(~mask, lowest).softmax(dim=-1)
    return weights.masked_fill(~mask, 0.0)


def causal_mask(N: int, M: int | None = None) -> Bool[Tensor, "N M"]:
    """Query n may look at keys up to its own position: a lower triangle.

    With M > N the queries are the last N of M positions, as when earlier keys are kept.
    """
    M = N if M is None else M
    if M < N:
        raise ValueError(f"{N} queries but {M} keys: each query needs its own key")
    return torch.ones(N, M, dtype=torch.bool).tril(M - N)


def padding_mask(lengths: Int[Tensor, " B"], M: int) -> Bool[Tensor, "B 1 M"]:
    """True on the first `lengths[b]` keys of row b: padding is not to be read."""
    return (torch.arange(M) < lengths[:, None])[:, None, :]


class MultiHeadAttention(nn.Module):
    r"""$\text{concat}(\text{head}_1, \dots, \text{head}_H)\, W_o^\top + b_o$, where
    $\text{head}_i = \text{Attention}(x W_{q,i}^\top, m W_{k,i}^\top, m W_{v,i}^\top)$.

    W_q (d_model, d_model), W_k and W_v (d_model, d_memory), W_o (d_model, d_model);
    head i owns rows i d_head .. (i+1) d_head - 1 of the first three, and d_head =
    d_model / heads, so that H heads cost what one wide head costs. A biased layer adds
    b_q, b_k, b_v, b_o. Inside a head the scale is 1/sqrt(d_head).
    """

    W_q: nn.Parameter
    W_k: nn.Parameter
    W_v: nn.Parameter
    W_o: nn.Parameter
    b_q: nn.Parameter | None
    b_k: nn.Parameter | None
    b_v: nn.Parameter | None
    b_o: nn.Parameter | None

    def __init__(
        self, d_model: int, heads: int, d_memory: int | None = None, bias: bool = True
    ) -> None:
        super().__init__()
        if heads < 1 or d_model % heads:
            raise ValueError(
                f"d_model={d_model} cannot be shared out to heads={heads}: each head "
                "gets d_model / heads columns, a whole number"
            )
        self.d_model, self.heads = d_model, heads
        self.d_memory = d_model if d_memory is None else d_memory
        for name, d_in in self.inputs():
            W = torch.empty(d_model, d_in)
            setattr(self, f"W_{name}", nn.Parameter(nn.init.xavier_uniform_(W)))
            b = nn.Parameter(torch.zeros(d_model)) if bias else None
            self.register_parameter(f"b_{name}", b)

    def inputs(self) -> list[tuple[str, int]]:
        """The four projections and the width that each reads."""
        d, d_m = self.d_model, self.d_memory
        return [("q", d), ("k", d_m), ("v", d_m), ("o", d)]

    def forward(
        self,
        x: Float[Tensor, "B N d_model"],
        memory: Float[Tensor, "B M d_memory"] | None = None,
        mask: Mask | None = None,
        need_weights: bool = True,
    ) -> Attended:
        """x asks; `memory` answers, or x itself if there is none.

        `mask` is (N, M) for all, (B, 1 or N, M) for each sequence, or has four axes,
        (B or 1, H or 1, N or 1, M), for each head.
        """
        k, v = self.keys_values(x if memory is None else memory)
        return self.attend(x, k, v, mask, need_weights)

    def keys_values(
        self, memory: Float[Tensor, "B M d_memory"]
    ) -> tuple[Float[Tensor, "B H M d_head"], Float[Tensor, "B H M d_head"]]:
        """Keys and values of every head: what a decoder may keep between steps."""
        why = "batch, memory, dim"
        check_shape("memory", memory, "B M d_memory", why, d_memory=self.d_memory)
        k = self.split(F.linear(memory, self.W_k, self.b_k))
        return k, self.split(F.linear(memory, self.W_v, self.b_v))

    def attend(
        self,
        x: Float[Tensor, "B N d_model"],
        k: Float[Tensor, "B H M d_head"],
        v: Float[Tensor, "B H M d_head"],
        mask: Mask | None = None,
        need_weights: bool = True,
    ) -> Attended:
        """The second half of forward, for keys and values that are already there."""
        why = "batch, queries, dim"
        check_shape("x", x, "B N d_model", why, d_model=self.d_model)
        q = self.split(F.linear(x, self.W_q, self.b_q))
        if mask is not None and mask.dim() == 3:
            mask = mask[:, None]  # (B, 1, N, M): the same for every head
        read, weights = attention(q, k, v, mask, need_weights=need_weights)
        joined = read.transpose(1, 2).flatten(2)  # (B, H, N, d_head) -> (B, N, d_model)
        return Attended(F.linear(joined, self.W_o, self.b_o), weights)

    def split(
        self, x: Float[Tensor, "B T d_model"]
    ) -> Float[Tensor, "B {self.heads} T d_head"]:
        """One slice of the columns per head."""
        B, T, _ = x.shape
        d_head = self.d_model // self.heads
        return x.view(B, T, self.heads, d_head).transpose(1, 2)


def from_torch(module: nn.MultiheadAttention) -> MultiHeadAttention:
    """The layer that computes the same as torch's, weights copied; dropout is not.

    Batch first, whatever `module.batch_first` says, and masks are True = look.
    """
    if module.kdim != module.vdim or module.bias_k is not None or module.add_zero_attn:
        raise ValueError(
            f"kdim={module.kdim}, vdim={module.vdim}, add_bias_kv="
            f"{module.bias_k is not None}, add_zero_attn={module.add_zero_attn}: here "
            "keys and values come from one memory, and nothing is added to it"
        )
    bias = module.in_proj_bias is not None
    made = MultiHeadAttention(module.embed_dim, module.num_heads, module.kdim, bias)
    made = made.to(module.out_proj.weight)
    if module.in_proj_weight is None:  # torch packs the three only if widths agree
        weights = module.q_proj_weight, module.k_proj_weight, module.v_proj_weight
    else:
        weights = module.in_proj_weight.chunk(3)
    biases = module.in_proj_bias.chunk(3) if bias else (None,) * 3
    with torch.no_grad():
        for name, W, b in zip("qkv", weights, biases, strict=True):
            getattr(made, f"W_{name}").copy_(W)
            if bias:
                getattr(made, f"b_{name}").copy_(b)
        made.W_o.copy_(module.out_proj.weight)
        if made.b_o is not None:
            made.b_o.copy_(module.out_proj.bias)
    return made


def check_qkv(q: Tensor, k: Tensor, v: Tensor) -> None:
    """Raise a ValueError that quotes the three shapes unless they fit together.

    The text is put together only when it is needed: a writing model comes by here for
    every token of every layer.
    """
    if min(q.dim(), k.dim(), v.dim()) < 2 or not (
        q.shape[:-2] == k.shape[:-2] == v.shape[:-2]
    ):
        fault = "expected (..., N, d), with the same axes in front"
    elif q.shape[-1] != k.shape[-1]:
        fault = "a dot product needs q and k of the same width"
    elif k.shape[-2] != v.shape[-2]:
        fault = "every key needs its value, so as many of each"
    else:
        return
    shapes = f"q {tuple(q.shape)}, k {tuple(k.shape)}, v {tuple(v.shape)}"
    raise ValueError(f"{shapes}: {fault}")


def check_mask(mask: Tensor | None, scores: tuple[int, ...]) -> None:
    """Raise a ValueError unless the mask is boolean and fits the scores (..., N, M)."""
    if mask is None:
        return
    if mask.dtype != torch.bool:
        raise ValueError(
            f"the mask has dtype {mask.dtype}, expected torch.bool, True = may look: "
            "numbers could mean 1 = look, 1 = hide, or something added to the scores"
        )
    shape = tuple(mask.shape)
    padded = (1,) * (len(scores) - len(shape)) + shape
    if len(padded) != len(scores) or any(
        size not in (1, wanted) for size, wanted in zip(padded, scores, strict=True)
    ):
        raise ValueError(
            f"the mask has shape {shape}, which does not spread over the scores "
            f"{scores}: axes are (..., queries, keys)"
        )
