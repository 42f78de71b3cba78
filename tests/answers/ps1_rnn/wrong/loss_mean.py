"""Losses are averaged; torch does it by default."""

# replaces: answer_loss
# fails: loss
# message: it is a mean

import numpy as np


def sequence_loss(o, y):
    m = o.max(axis=-1, keepdims=True)
    log_sum = m[..., 0] + np.log(np.exp(o - m).sum(axis=-1))
    return np.mean(log_sum - np.take_along_axis(o, y[..., None], axis=-1)[..., 0])
