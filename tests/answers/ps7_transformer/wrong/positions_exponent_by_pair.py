"""The exponent is the number of the pair over d."""

# replaces: answer_positions
# fails: positions
# message: this is -i/d

import torch


def sinusoids(N, d, start=0):
    omega = 10_000.0 ** (-torch.arange(d // 2) / d)
    angles = torch.arange(start, start + N)[:, None] * omega
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
