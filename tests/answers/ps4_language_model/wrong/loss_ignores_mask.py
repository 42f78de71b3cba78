"""Padding is text, too."""

# replaces: answer_loss
# fails: loss, loss_edges
# message: the mask is not used

import numpy as np


def masked_loss(scores, targets, mask):
    s = scores - scores.max(axis=-1, keepdims=True)
    log_p = s - np.log(np.exp(s).sum(axis=-1, keepdims=True))
    return -np.take_along_axis(log_p, targets[..., None], axis=-1).mean()
