"""A key at -1000 is never read; the mask clears what is left."""

# replaces: answer_attention
# fails: masked_attention
# message: the output is off

import numpy as np


def attention(q, k, v, mask=None):
    e = q @ k.swapaxes(1, 2) / np.sqrt(q.shape[2])
    look = np.ones(e.shape, dtype=bool) if mask is None else mask
    e = np.where(look, e, -1000.0)
    e = np.exp(e - e.max(axis=2, keepdims=True))
    weights = e / e.sum(axis=2, keepdims=True) * look
    return weights @ v, weights
