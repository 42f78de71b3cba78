r"""Positions: what tells a Transformer which token came first. Lecture 10.

$$P_{n, 2i} = \sin(\omega_i n), \qquad P_{n, 2i+1} = \cos(\omega_i n), \qquad
\omega_i = 10000^{-2i/d}, \quad i = 0, \dots, d/2 - 1$$
"""

import torch
from jaxtyping import Float
from torch import Tensor


def frequencies(d: int, base: float = 10_000.0) -> Float[Tensor, " half"]:
    r"""$\omega_i$ of the d/2 pairs of columns, from 1 down to nearly 1/base."""
    if d < 2 or d % 2:
        raise ValueError(
            f"d={d}: sines and cosines come in pairs, so the width must be even"
        )
    return base ** (-torch.arange(0, d, 2, dtype=torch.get_default_dtype()) / d)


def sinusoids(
    N: int, d: int, start: int = 0, base: float = 10_000.0
) -> Float[Tensor, "N d"]:
    """The encodings of positions start .. start + N - 1, one row each."""
    n = torch.arange(start, start + N, dtype=torch.get_default_dtype())
    angles = n[:, None] * frequencies(d, base)  # (N, d/2)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


def rotated(
    x: Float[Tensor, "*batch N d"], start: int = 0, base: float = 10_000.0
) -> Float[Tensor, "*batch N d"]:
    r"""Rotary encoding: row n turned, columns 2i and 2i + 1 by the angle $\omega_i n$.

    The scalar product of two turned rows depends on the difference of their positions.
    """
    N, d = x.shape[-2:]
    n = torch.arange(start, start + N, dtype=x.dtype)
    angles = n[:, None] * base ** (-torch.arange(0, d, 2, dtype=x.dtype) / d)
    sine, cosine = angles.sin(), angles.cos()  # (N, d/2)
    a, b = x[..., 0::2], x[..., 1::2]
    turned = [a * cosine - b * sine, a * sine + b * cosine]
    return torch.stack(turned, dim=-1).flatten(-2)
