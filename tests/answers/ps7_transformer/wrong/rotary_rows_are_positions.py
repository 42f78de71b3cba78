"""Row 0 is position 0."""

# replaces: answer_rotary
# fails: rotary, relative
# message: look at n

import torch


def rotate(x, n):
    d = x.shape[-1]
    theta = torch.arange(len(n))[:, None] * 10_000.0 ** (-torch.arange(0, d, 2) / d)
    even, odd, c, s = x[..., 0::2], x[..., 1::2], theta.cos(), theta.sin()
    return torch.stack([even * c - odd * s, even * s + odd * c], dim=-1).flatten(-2)
