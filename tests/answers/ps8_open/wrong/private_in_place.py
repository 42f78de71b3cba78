"""The gradients that were given are shortened in place."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_private
# fails: private
# message: changed in place

import numpy as np


def private_gradient(gradients, C, sigma, noise, expected):
    B = len(next(iter(gradients.values())))
    sq = sum((g.reshape(B, -1) ** 2).sum(1) for g in gradients.values())
    f = np.minimum(1, C / np.maximum(np.sqrt(sq), 1e-12))
    out = {}
    for k, g in gradients.items():
        g *= f.reshape(B, *[1] * (g.ndim - 1))
        out[k] = (g.sum(0) + sigma * C * noise[k]) / expected
    return out
