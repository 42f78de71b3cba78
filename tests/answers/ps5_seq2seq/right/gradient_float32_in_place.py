"""float32, subtracting 1 at the places of the targets."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_gradient

import numpy as np


def loss_gradient(scores, target):
    p = np.exp((scores - scores.max(axis=2, keepdims=True)).astype(np.float32))
    p /= p.sum(axis=2, keepdims=True)
    b, t = np.indices(target.shape)
    p[b, t, target] -= 1
    p[target == PAD] = 0
    return p / np.count_nonzero(target)
