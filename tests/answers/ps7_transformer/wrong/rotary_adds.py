"""The position is added, as with sinusoids."""

# replaces: answer_rotary
# fails: rotary, relative
# message: rotary positions multiply

import torch


def rotate(x, n):
    d = x.shape[-1]
    theta = n[:, None] * 10_000.0 ** (-torch.arange(0, d, 2) / d)
    return x + torch.stack([theta.sin(), theta.cos()], dim=-1).flatten(-2)
