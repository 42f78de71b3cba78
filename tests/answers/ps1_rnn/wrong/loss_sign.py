"""The loss is the log-probability of the targets."""

# replaces: answer_loss
# fails: loss
# message: the sign is turned round

import numpy as np


def sequence_loss(o, y):
    m = o.max(axis=-1, keepdims=True)
    log_p = o - m - np.log(np.exp(o - m).sum(axis=-1, keepdims=True))
    return np.take_along_axis(log_p, y[..., None], axis=-1).sum()
