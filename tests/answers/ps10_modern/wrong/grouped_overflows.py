"""exp, then divide."""

# replaces: answer_grouped
# fails: grouped
# message: not finite

import numpy as np


def grouped_attention(q, k, v):
    H, T, d = q.shape
    k, v = (np.repeat(x, H // len(x), axis=0) for x in (k, v))
    e = np.exp(q @ k.swapaxes(1, 2) / d**0.5) * np.tri(T)
    return e / e.sum(axis=2, keepdims=True) @ v
