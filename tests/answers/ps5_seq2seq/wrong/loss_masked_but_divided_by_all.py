"""The mask makes padding zero, then mean() is taken."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_loss
# fails: loss
# message: but not of the number N

import numpy as np


def masked_loss(scores, target):
    z = scores - scores.max(axis=2, keepdims=True)
    log_p = z - np.log(np.exp(z).sum(axis=2, keepdims=True))
    loss = -np.take_along_axis(log_p, target[..., None], axis=2)[..., 0]
    return (loss * (target != PAD)).mean()
