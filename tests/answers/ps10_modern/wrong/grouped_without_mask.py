"""Attention."""

# replaces: answer_grouped
# fails: grouped
# message: tokens look ahead

import numpy as np


def grouped_attention(q, k, v):
    H, T, d = q.shape
    k, v = (np.repeat(x, H // len(x), axis=0) for x in (k, v))
    scores = q @ k.swapaxes(1, 2) / d**0.5
    e = np.exp(scores - scores.max(axis=2, keepdims=True))
    return e / e.sum(axis=2, keepdims=True) @ v
