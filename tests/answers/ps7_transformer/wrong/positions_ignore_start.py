"""A sentence begins at 0."""

# replaces: answer_positions
# fails: positions
# message: start was ignored

import torch


def sinusoids(N, d, start=0):
    P = torch.zeros(N, d)
    angles = torch.arange(N)[:, None] / 10_000.0 ** (torch.arange(0, d, 2) / d)
    P[:, 0::2], P[:, 1::2] = angles.sin(), angles.cos()
    return P
