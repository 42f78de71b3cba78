"""The columns run from 0 to 2I, I = d/2 - 1."""

# replaces: answer_positions
# fails: positions
# message: the last cosine is missing

import torch


def sinusoids(N, d, start=0):
    last = 2 * (d // 2 - 1)
    P = torch.zeros(N, last + 1)
    n = torch.arange(start, start + N)
    for column in range(last + 1):
        omega = 10_000.0 ** (-(column - column % 2) / d)
        P[:, column] = torch.cos(n * omega) if column % 2 else torch.sin(n * omega)
    return P
