r"""A linear recurrence, all steps at once: the parallel scan. Lecture 17.

$$h_t = a_t \odot h_{t-1} + b_t, \qquad h_0 \text{ given (zero unless said)}$$

    h = scan(a, b)                    # both (B, T, d) -> (B, T, d), with gradients
    every = associative_scan(op, xs)  # any associative operator, log T rounds

One step is the map $h \mapsto a h + b$. Two steps after another are one such map again,

$$(a_1, b_1) \bullet (a_2, b_2) = (a_2 a_1,\; a_2 b_1 + b_2),$$

and the order in which neighbours are joined does not matter. `associative_scan` joins
over distances 1, 2, 4, …: few rounds, T log T work. `scan` takes blocks: it walks
through all blocks side by side, joins their ends by itself, and adds what came before
each block. That is some 2 root T rounds and about twice the loop's work, which suits a
processor, where starting an operation costs as much as a few thousand multiplications.
"""

import math
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
import torch
from jaxtyping import Shaped
from torch import Tensor

Array = TypeVar("Array", Tensor, np.ndarray)
Elements = tuple[Array, ...]  # parts of one element, each with time as first axis
SHORT = 16  # steps up to which a plain walk is quickest


def loop(
    a: Shaped[Tensor, "B T *d"],
    b: Shaped[Tensor, "B T *d"],
    h_0: Shaped[Tensor, " B *d"] | None = None,
) -> Shaped[Tensor, "B T *d"]:
    """The recurrence as it is written, one step after another; autograd records it."""
    h = torch.zeros_like(b[:, 0]) if h_0 is None else h_0
    states = []
    for a_t, b_t in zip(a.unbind(1), b.unbind(1), strict=True):
        h = a_t * h + b_t
        states.append(h)
    return torch.stack(states, dim=1)


def scan(
    a: Shaped[Tensor, "..."],
    b: Shaped[Tensor, "B T *d"],
    h_0: Shaped[Tensor, " B *d"] | None = None,
) -> Shaped[Tensor, "B T *d"]:
    """All states of $h_t = a_t h_{t-1} + b_t$, real or complex, with gradients."""
    if a.shape != b.shape:
        raise ValueError(
            f"a has shape {tuple(a.shape)}, b {tuple(b.shape)}: every step of every "
            "sequence needs both; use a.expand_as(b) where a is the same for all"
        )
    if h_0 is not None and b.shape[1]:
        first = b[:, :1] + a[:, :1] * h_0[:, None]
        b = torch.cat([first, b[:, 1:]], dim=1)
    return _Scan.apply(a, b)


class _Scan(torch.autograd.Function):
    r"""Backwards the same recurrence runs from the end, with the next step's gates:

    $g_t = \partial L / \partial h_t + a_{t+1} g_{t+1}$, then $\partial L / \partial b_t
    = g_t$ and $\partial L / \partial a_t = g_t h_{t-1}$ (complex: the conjugates).
    """

    @staticmethod
    def forward(ctx: Any, a: Tensor, b: Tensor) -> Tensor:
        h = in_blocks(a, b)
        ctx.save_for_backward(a, h)
        return h

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, Tensor]:
        a, h = ctx.saved_tensors
        after = torch.cat([a[:, 1:], torch.zeros_like(a[:, :1])], dim=1).conj()
        g = in_blocks(after.flip(1), grads[0].flip(1)).flip(1)
        d_a = torch.zeros_like(a)
        torch.mul(g[:, 1:], h[:, :-1].conj(), out=d_a[:, 1:])
        return d_a, g


def in_blocks(a: Tensor, b: Tensor) -> Tensor:
    """The scan itself: blocks of about root T steps, walked through side by side."""
    B, T = b.shape[:2]
    if T <= SHORT:
        return _walk(a, b)
    size = round(math.sqrt(T))
    blocks = -(-T // size)
    missing = blocks * size - T
    if missing:  # steps that change nothing matter only behind the end
        pad = lambda x: torch.cat([x, x.new_zeros(B, missing, *x.shape[2:])], 1)  # noqa: E731
        a, b = pad(a), pad(b)
    a, b = (x.view(B, blocks, size, *x.shape[2:]) for x in (a, b))
    h, product = b.clone(), a.clone()  # within each block, from a zero start
    for t in range(1, size):
        h[:, :, t] += a[:, :, t] * h[:, :, t - 1]
        product[:, :, t] *= product[:, :, t - 1]
    ends = in_blocks(product[:, :, -1], h[:, :, -1])  # the state after every block
    h[:, 1:] += product[:, 1:] * ends[:, :-1, None]
    return h.reshape(B, blocks * size, *h.shape[3:])[:, :T]


def _walk(a: Tensor, b: Tensor) -> Tensor:
    h = b.clone()
    for t in range(1, b.shape[1]):
        h[:, t] += a[:, t] * h[:, t - 1]
    return h


def associative_scan(
    combine: Callable[[Elements, Elements], Elements], elements: Elements
) -> Elements:
    """All running products x_1, x_1 • x_2, …; time is the first axis of every part.

    `combine(earlier, later)` works on many pairs at once. In round k each position is
    joined with the one 2^k before it (Hillis and Steele, 1986).
    """
    parts, T = tuple(elements), len(elements[0])
    distance = 1
    while distance < T:
        earlier = tuple(p[:-distance] for p in parts)
        later = tuple(p[distance:] for p in parts)
        joined = combine(earlier, later)
        pairs = zip(parts, joined, strict=True)
        parts = tuple(_followed_by(p[:distance], new) for p, new in pairs)
        distance *= 2
    return parts


def _followed_by(first: Any, second: Any) -> Any:
    """Two arrays, or two tensors, one behind the other in time."""
    join: Any = torch.cat if isinstance(first, Tensor) else np.concatenate
    return join([first, second])


def affine(earlier: Elements, later: Elements) -> Elements:
    """(a_1, b_1) • (a_2, b_2) = (a_2 a_1, a_2 b_1 + b_2): one map, then the other."""
    (a_1, b_1), (a_2, b_2) = earlier, later
    return a_2 * a_1, a_2 * b_1 + b_2
