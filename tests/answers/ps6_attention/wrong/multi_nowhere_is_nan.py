"""A query without keys was not thought of."""

# replaces: answer_multi
# fails: multi_masked
# message: reads nan

import numpy as np


def multi_head(x, memory, W_q, W_k, W_v, W_o, heads, mask=None):
    B = len(x)

    def cut(rows):
        return rows.reshape(B, -1, heads, len(W_q) // heads).transpose(0, 2, 1, 3)

    q, k, v = cut(x @ W_q.T), cut(memory @ W_k.T), cut(memory @ W_v.T)
    scores = q @ k.swapaxes(2, 3) / np.sqrt(q.shape[3])
    look = np.ones(scores.shape, bool) if mask is None else mask[:, None]
    scores = np.where(look, scores, -np.inf)
    e = np.exp(scores - scores.max(axis=3, keepdims=True))
    weights = e / e.sum(axis=3, keepdims=True)
    joined = (weights @ v).transpose(0, 2, 1, 3).reshape(x.shape)
    return joined @ W_o.T, weights
