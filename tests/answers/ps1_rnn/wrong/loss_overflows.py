"""Softmax as in the book: exp, divide, log."""

# replaces: answer_loss
# fails: loss_stable
# message: subtract the largest logit

import numpy as np


def sequence_loss(o, y):
    p = np.exp(o) / np.exp(o).sum(axis=-1, keepdims=True)
    return -np.log(np.take_along_axis(p, y[..., None], axis=-1)).sum()
