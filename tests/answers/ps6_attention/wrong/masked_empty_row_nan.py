"""Minus infinity, and a row of nothing else was not thought of."""

# replaces: answer_softmax
# fails: masked
# message: may look nowhere is nan

import numpy as np


def masked_softmax(scores, mask=None):
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
