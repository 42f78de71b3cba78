"""Weigh the values first, divide by the sum at the end."""

# replaces: answer_attention

import numpy as np


def attention(q, k, v, mask=None):
    scores = np.matmul(q, np.transpose(k, (0, 2, 1))) / np.sqrt(q.shape[-1])
    allowed = np.full(scores.shape, True) if mask is None else mask
    top = np.max(scores, axis=2, keepdims=True, initial=-1e300, where=allowed)
    e = np.where(allowed, np.exp(np.minimum(scores - top, 0.0)), 0.0)
    total = e.sum(axis=2, keepdims=True)
    total[total == 0] = 1
    return (e @ v) / total, e / total
