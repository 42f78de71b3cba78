"""All positions first, then those that count; -1 is a fine index in Python."""

# replaces: answer_loss
# fails: loss_edges
# message: in the padding was used as an index

import numpy as np


def masked_loss(scores, targets, mask):
    if not mask.any():
        return 0.0
    s = scores - scores.max(axis=-1, keepdims=True)
    log_p = s - np.log(np.exp(s).sum(axis=-1, keepdims=True))
    each = -np.take_along_axis(log_p, targets[..., None], axis=-1)[..., 0]
    return each[mask].mean()
