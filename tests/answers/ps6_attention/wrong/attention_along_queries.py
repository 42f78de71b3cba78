"""The softmax runs down the columns."""

# replaces: answer_attention
# fails: dot_product, masked_attention
# message: runs along the queries

import numpy as np


def attention(q, k, v, mask=None):
    scores = q @ k.swapaxes(1, 2) / np.sqrt(q.shape[2])
    if mask is None:
        mask = np.ones(scores.shape, dtype=bool)
    scores = np.where(mask, scores, -1e300)
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    e = e * mask
    weights = e / np.maximum(e.sum(axis=1, keepdims=True), 1e-300)
    return weights @ v, weights
