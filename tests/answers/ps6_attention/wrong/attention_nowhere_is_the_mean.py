"""The lowest number, and nothing is cleaned up."""

# replaces: answer_attention
# fails: masked_attention
# message: reads 0, not the mean

import numpy as np


def attention(q, k, v, mask=None):
    scores = q @ k.swapaxes(1, 2) / np.sqrt(q.shape[2])
    if mask is None:
        mask = np.ones(scores.shape, dtype=bool)
    scores = np.where(mask, scores, -1e300)
    e = np.exp(scores - scores.max(axis=2, keepdims=True))
    weights = e / e.sum(axis=2, keepdims=True)
    return weights @ v, weights
