"""The mask is spread over the scores as it is."""

# replaces: answer_multi
# fails: multi_masked
# message: the shapes do not fit

import numpy as np


def multi_head(x, memory, W_q, W_k, W_v, W_o, heads, mask=None):
    B = len(x)

    def cut(rows):
        return rows.reshape(B, -1, heads, len(W_q) // heads).transpose(0, 2, 1, 3)

    q, k, v = cut(x @ W_q.T), cut(memory @ W_k.T), cut(memory @ W_v.T)
    scores = q @ k.swapaxes(2, 3) / np.sqrt(q.shape[3])
    look = np.ones(scores.shape, bool) if mask is None else mask
    scores = np.where(look, scores, -1e300)
    e = np.exp(scores - scores.max(axis=3, keepdims=True)) * look
    weights = e / np.maximum(e.sum(axis=3, keepdims=True), 1e-300)
    joined = (weights @ v).transpose(0, 2, 1, 3).reshape(x.shape)
    return joined @ W_o.T, weights
