"""Scores beyond 700 would overflow, so they are cut off there."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_gradient
# fails: gradient
# message: the gradient (times N) is off

import numpy as np


def loss_gradient(scores, target):
    p = np.exp(np.clip(scores, -700, 700))
    p = p / p.sum(axis=2, keepdims=True)
    real = (target != PAD)[..., None]
    return real * (p - np.eye(scores.shape[2])[target]) / real.sum()
