"""A very low score in place of minus infinity, and that is all."""

# replaces: answer_softmax
# fails: masked
# message: gets 0, not equal weights

import numpy as np


def masked_softmax(scores, mask=None):
    if mask is not None:
        scores = np.where(mask, scores, -1e9)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
