"""np.tile makes as many heads as are needed."""

# replaces: answer_grouped
# fails: grouped
# message: neighbours share

import numpy as np


def grouped_attention(q, k, v):
    H, T, d = q.shape
    k, v = (np.tile(x, (H // len(x), 1, 1)) for x in (k, v))
    scores = q @ k.swapaxes(1, 2) / d**0.5
    scores = np.where(np.tri(T, dtype=bool), scores, -np.inf)
    e = np.exp(scores - scores.max(axis=2, keepdims=True))
    return e / e.sum(axis=2, keepdims=True) @ v
