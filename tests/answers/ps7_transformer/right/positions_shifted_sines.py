"""A cosine is a sine a quarter turn later, and the powers are exponentials."""

# replaces: answer_positions

import math

import torch


def sinusoids(N, d, start=0):
    column = torch.arange(d)
    omega = torch.exp(-math.log(10_000.0) * (column - column % 2) / d)
    n = torch.arange(start, start + N, dtype=torch.float64)
    return torch.sin(torch.outer(n, omega.double()) + math.pi / 2 * (column % 2))
