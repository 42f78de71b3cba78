"""The number of heads is not used."""

# replaces: answer_multi
# fails: multi, multi_masked
# message: one head of full width

import numpy as np


def multi_head(x, memory, W_q, W_k, W_v, W_o, heads, mask=None):
    q, k, v = x @ W_q.T, memory @ W_k.T, memory @ W_v.T
    scores = q @ k.swapaxes(1, 2) / np.sqrt(q.shape[2])
    look = np.ones(scores.shape, bool) if mask is None else mask
    e = np.where(look, np.exp(scores - scores.max(axis=2, keepdims=True)), 0.0)
    weights = e / np.maximum(e.sum(axis=2, keepdims=True), 1e-300)
    return weights @ v @ W_o.T, np.stack([weights] * heads, axis=1)
