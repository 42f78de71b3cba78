"""axis=1 is the axis of the tokens."""

# replaces: answer_grouped
# fails: grouped
# message: over the queries

import numpy as np


def grouped_attention(q, k, v):
    H, T, d = q.shape
    k, v = (np.repeat(x, H // len(x), axis=0) for x in (k, v))
    scores = q @ k.swapaxes(1, 2) / d**0.5
    scores = np.where(np.tri(T, dtype=bool), scores, -np.inf)
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True) @ v
