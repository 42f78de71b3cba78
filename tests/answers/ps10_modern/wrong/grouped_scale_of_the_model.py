"""The scale is the root of H d."""

# replaces: answer_grouped
# fails: grouped
# message: scale, mask, softmax

import numpy as np


def grouped_attention(q, k, v):
    H, T, d = q.shape
    k, v = (np.repeat(x, H // len(x), axis=0) for x in (k, v))
    scores = q @ k.swapaxes(1, 2) / (H * d) ** 0.5
    scores = np.where(np.tri(T, dtype=bool), scores, -np.inf)
    e = np.exp(scores - scores.max(axis=2, keepdims=True))
    return e / e.sum(axis=2, keepdims=True) @ v
