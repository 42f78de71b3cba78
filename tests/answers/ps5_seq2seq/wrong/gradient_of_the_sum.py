"""The mean is forgotten in the gradient."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_gradient
# fails: gradient
# message: divide by the number of words N

import numpy as np


def loss_gradient(scores, target):
    p = np.exp(scores - scores.max(axis=2, keepdims=True))
    p /= p.sum(axis=2, keepdims=True)
    return (p - np.eye(scores.shape[2])[target]) * (target != PAD)[..., None]
