"""One maximum for the whole array is subtracted; words far below it underflow."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_loss
# fails: loss
# message: entries that are not finite

import numpy as np


def masked_loss(scores, target):
    s = scores - scores.max()
    log_p = s - np.log(np.exp(s).sum(axis=2, keepdims=True))
    picked = np.take_along_axis(log_p, target[..., None], axis=2)[..., 0]
    mask = target != PAD
    return -(picked * mask).sum() / mask.sum()
