"""A mean is a mean over everything."""

# replaces: answer_loss
# fails: loss
# message: padding is counted as well

import numpy as np


def masked_loss(scores, target):
    z = scores - scores.max(axis=2, keepdims=True)
    log_p = z - np.log(np.exp(z).sum(axis=2, keepdims=True))
    return -np.take_along_axis(log_p, target[..., None], axis=2).mean()
