"""The noise is made as large as it must be, where it lies."""

# replaces: answer_private
# fails: private
# message: changed in place

import numpy as np


def private_gradient(gradients, C, sigma, noise, expected):
    squares = sum((g**2).reshape(len(g), -1).sum(axis=1) for g in gradients.values())
    factor = np.minimum(1, C / np.maximum(np.sqrt(squares), 1e-12))
    made = {}
    for name, g in gradients.items():
        noise[name] *= sigma * C
        kept = factor.reshape(-1, *[1] * (g.ndim - 1)) * g
        made[name] = (kept.sum(axis=0) + noise[name]) / expected
    return made
