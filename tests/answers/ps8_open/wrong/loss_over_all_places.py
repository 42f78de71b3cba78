"""The mean of an array with zeros in it."""

# replaces: answer_loss
# fails: gap_loss
# message: not over all

import numpy as np


def masked_loss(scores, targets):
    top = scores.max(axis=2, keepdims=True)
    log_p = scores - top - np.log(np.exp(scores - top).sum(axis=2, keepdims=True))
    chosen = targets != -100
    at = np.where(chosen, targets, 0)[..., None]
    return np.mean(-np.take_along_axis(log_p, at, axis=2)[..., 0] * chosen)
