"""One mask holds for the whole batch."""

# replaces: answer_attention
# fails: masked_attention
# message: each sequence has a mask of its own

import numpy as np


def attention(q, k, v, mask=None):
    scores = q @ k.swapaxes(1, 2) / q.shape[2] ** 0.5
    look = np.ones(scores.shape[1:], dtype=bool) if mask is None else mask[0]
    scores = np.where(look, scores, -np.inf)
    top = np.maximum(scores.max(axis=2, keepdims=True), -1e300)
    e = np.exp(scores - top)
    weights = e / np.maximum(e.sum(axis=2, keepdims=True), 1e-300)
    return weights @ v, weights
