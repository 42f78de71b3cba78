"""The dot product as it comes."""

# replaces: answer_attention
# fails: dot_product, masked_attention
# message: 1 / sqrt(d_q) is missing

import numpy as np


def attention(q, k, v, mask=None):
    scores = q @ k.swapaxes(1, 2)
    if mask is None:
        mask = np.ones(scores.shape, dtype=bool)
    scores = np.where(mask, scores, -1e300)
    e = np.exp(scores - scores.max(axis=2, keepdims=True))
    e = e * mask
    weights = e / np.maximum(e.sum(axis=2, keepdims=True), 1e-300)
    return weights @ v, weights
