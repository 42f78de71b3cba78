"""The softmax straight from its formula."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_loss
# fails: loss
# message: large scores must not overflow

import numpy as np


def masked_loss(scores, target):
    p = np.exp(scores) / np.exp(scores).sum(axis=2, keepdims=True)
    chosen = np.take_along_axis(p, target[..., None], axis=2)[..., 0]
    return -np.log(chosen[target != PAD]).mean()
