"""What is hidden gets the lowest score there is."""

# replaces: answer_grouped
# fails: grouped
# message: must lie below

import numpy as np


def grouped_attention(q, k, v):
    H, T, d = q.shape
    k, v = np.repeat(k, H // len(k), 0), np.repeat(v, H // len(v), 0)
    e = q @ k.swapaxes(1, 2) / np.sqrt(d)
    e = np.where(np.tril(np.ones((T, T), bool)), e, -1e4)
    w = np.exp(e - e.max(-1, keepdims=True))
    return w / w.sum(-1, keepdims=True) @ v
