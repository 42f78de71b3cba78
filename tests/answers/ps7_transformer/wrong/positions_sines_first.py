"""First all sines, then all cosines."""

# replaces: answer_positions
# fails: positions
# message: they take turns with the cosines

import torch


def sinusoids(N, d, start=0):
    omega = 10_000.0 ** (-torch.arange(0, d, 2) / d)
    angles = torch.arange(start, start + N)[:, None] * omega
    return torch.cat([angles.sin(), angles.cos()], dim=1)
