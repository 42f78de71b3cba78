"""N is the number of entries of the target array."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_gradient
# fails: gradient
# message: N counts no padding

import numpy as np


def loss_gradient(scores, target):
    p = np.exp(scores - scores.max(axis=2, keepdims=True))
    p /= p.sum(axis=2, keepdims=True)
    error = (p - np.eye(scores.shape[2])[target]) * (target != PAD)[..., None]
    return error / target.size
