"""A factor of 0 removes a position."""

# replaces: answer_loss
# fails: loss_edges
# message: 0 times nan is still nan

import numpy as np


def masked_loss(scores, targets, mask):
    s = scores - scores.max(axis=-1, keepdims=True)
    log_p = s - np.log(np.exp(s).sum(axis=-1, keepdims=True))
    each = -np.take_along_axis(log_p, targets[..., None], axis=-1)[..., 0]
    return np.sum(each * mask) / max(np.sum(mask), 1)
