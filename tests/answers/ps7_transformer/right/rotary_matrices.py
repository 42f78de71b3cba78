"""Every position has its matrix, R_n."""

# replaces: answer_rotary

import math

import torch


def rotation(n, d):
    R = torch.zeros(d, d, dtype=torch.float64)
    for i in range(0, d, 2):
        theta = int(n) * 10_000.0 ** (-i / d)
        R[i, i] = R[i + 1, i + 1] = math.cos(theta)
        R[i + 1, i], R[i, i + 1] = math.sin(theta), -math.sin(theta)
    return R


def rotate(x, n):
    R = torch.stack([rotation(place, x.shape[-1]) for place in n])
    return torch.einsum("nij,...nj->...ni", R, x.double())


# replaces: answer_relative
def rotary_scores(q, k, n, m):
    scores = torch.einsum("...nd,...md->...nm", rotate(q, n), rotate(k, m))
    return scores / math.sqrt(q.shape[-1])
