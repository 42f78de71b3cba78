"""Softmax first, then the mask."""

# replaces: answer_softmax
# fails: masked
# message: applied after the softmax

import numpy as np


def masked_softmax(scores, mask=None):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return weights if mask is None else weights * mask
