"""Scores go down to -1000, so -1000 hides a key; the mask clears what is left."""

# replaces: answer_softmax
# fails: masked
# message: the array of weights is off

import numpy as np


def masked_softmax(scores, mask=None):
    e = scores if mask is None else np.where(mask, scores, -1000.0)
    e = np.exp(e - e.max(axis=-1, keepdims=True))
    e = e / e.sum(axis=-1, keepdims=True)
    return e if mask is None else e * mask
