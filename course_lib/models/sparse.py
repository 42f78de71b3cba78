r"""Sparse attention: patterns that leave pairs out, and how far they reach. Lecture 15.

    local(q, k, v, window)        only |n - m| <= window, computed in blocks
    strided(q, k, v, stride)      only n - m a multiple of stride, in classes
    reach(mask, layers)           which inputs an output depends on after some layers

Queries and keys are the same N positions. Any axes may stand in front, as in
`attention.attention`; masks are True where a query may look.
"""

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor

from course_lib.models.attention import attention, causal_mask, check_qkv


def window_mask(N: int, window: int, causal: bool = False) -> Bool[Tensor, "N N"]:
    """|n - m| <= window; causal: only backwards."""
    gap = torch.arange(N)[:, None] - torch.arange(N)
    return (gap.abs() <= window) & ((gap >= 0) | (not causal))


def stride_mask(N: int, stride: int, causal: bool = False) -> Bool[Tensor, "N N"]:
    """n - m is a multiple of stride; causal: only backwards."""
    gap = torch.arange(N)[:, None] - torch.arange(N)
    return (gap % stride == 0) & ((gap >= 0) | (not causal))


def global_mask(N: int, tokens: int) -> Bool[Tensor, "N N"]:
    """The first `tokens` positions see everybody, and everybody sees them."""
    chosen = torch.arange(N) < tokens
    return chosen[:, None] | chosen


def reach(mask: Bool[Tensor, "N N"], layers: int) -> Bool[Tensor, "N N"]:
    r"""Which inputs each output depends on after `layers` layers: $G^k$, in 0 and 1."""
    seen = torch.eye(len(mask), dtype=torch.bool)
    for _ in range(layers):
        seen = mask.float() @ seen.float() > 0
    return seen


def local(
    q: Float[Tensor, "*batch N d_q"],
    k: Float[Tensor, "*batch N d_q"],
    v: Float[Tensor, "*batch N d_v"],
    window: int,
    causal: bool = False,
) -> Float[Tensor, "*batch N d_v"]:
    r"""Attention under `window_mask` with about $3Nw$ scores instead of $N^2$.

    Queries are cut into blocks of w; a block reads a memory block, its own positions
    and w more on either side (causal: only before).
    """
    N = check_self(q, k, v, window=window, least=0)
    if not N:
        return v
    w = min(window, N - 1)
    size, after = max(w, 1), 0 if causal else w
    spare = -N % size  # positions without a query in the last block
    queries = F.pad(q, (0, 0, 0, spare)).unflatten(-2, (-1, size))
    position = torch.arange(N + spare).view(-1, size, 1)
    key = position[:, :1] - w + torch.arange(w + size + after)
    mask = (key >= position - w) & (key <= position + after) & (key >= 0) & (key < N)

    def blocks(
        x: Tensor,
    ) -> Tensor:  # (..., N, d) -> (..., blocks, w + size + after, d)
        padded = F.pad(x, (0, 0, w, after + spare))
        return padded.unfold(-2, w + size + after, size).transpose(-2, -1)

    read = attention(queries, blocks(k), blocks(v), mask).output
    return read.flatten(-3, -2)[..., :N, :]


def strided(
    q: Float[Tensor, "*batch N d_q"],
    k: Float[Tensor, "*batch N d_q"],
    v: Float[Tensor, "*batch N d_v"],
    stride: int,
    causal: bool = False,
) -> Float[Tensor, "*batch N d_v"]:
    r"""Attention under `stride_mask` with $N^2 / s$ scores.

    Positions with the same remainder form a class; each class attends to itself.
    """
    N = check_self(q, k, v, stride=stride, least=1)
    length = -(-N // stride)  # of the longest class
    spare = length * stride - N

    def classes(x: Tensor) -> Tensor:  # (..., N, d) -> (..., stride, length, d)
        x = F.pad(x, (0, 0, 0, spare)).unflatten(-2, (length, stride))
        return x.transpose(-3, -2)

    position = torch.arange(length) * stride + torch.arange(stride)[:, None]
    mask = (position < N)[:, None, :]  # (stride, 1, length)
    mask = mask & causal_mask(length) if causal else mask
    read = attention(classes(q), classes(k), classes(v), mask).output
    return read.transpose(-3, -2).flatten(-3, -2)[..., :N, :]


def check_self(q: Tensor, k: Tensor, v: Tensor, least: int, **size: int) -> int:
    """N, if queries and keys are the same positions and the size is large enough."""
    check_qkv(q, k, v)
    if q.shape[-2] != k.shape[-2]:
        raise ValueError(
            f"q {tuple(q.shape)}, k {tuple(k.shape)}: the pattern speaks of distances, "
            "so queries and keys must be the same positions"
        )
    for name, value in size.items():
        if value < least:
            raise ValueError(f"{name}={value}: expected {least} or more")
    return q.shape[-2]
