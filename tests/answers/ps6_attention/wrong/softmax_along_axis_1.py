"""Axis 1 was right for a matrix."""

# replaces: answer_softmax
# fails: softmax, masked
# message: the sum runs along axis 1

import numpy as np


def masked_softmax(scores, mask=None):
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    top = scores.max(axis=1, keepdims=True)
    e = np.exp(scores - np.where(np.isinf(top), 0.0, top))
    total = e.sum(axis=1, keepdims=True)
    return np.divide(e, total, out=np.zeros(e.shape), where=total > 0)
