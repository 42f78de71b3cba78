"""Column i is paired with column i + d/2, as in some libraries."""

# replaces: answer_rotary
# fails: rotary, relative
# message: neighbouring columns, not i and i + d/2

import torch


def rotate(x, n):
    d = x.shape[-1]
    theta = n[:, None] * 10_000.0 ** (-torch.arange(0, d, 2) / d)
    one, two = x.chunk(2, dim=-1)
    c, s = theta.cos(), theta.sin()
    return torch.cat([one * c - two * s, one * s + two * c], dim=-1)
