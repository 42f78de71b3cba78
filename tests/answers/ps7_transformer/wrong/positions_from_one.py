"""The first word stands at position 1."""

# replaces: answer_positions
# fails: positions
# message: positions count from 0

import torch


def sinusoids(N, d, start=0):
    omega = 10_000.0 ** (-torch.arange(0, d, 2) / d)
    angles = torch.arange(start + 1, start + N + 1)[:, None] * omega
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
