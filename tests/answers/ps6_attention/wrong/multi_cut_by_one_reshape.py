"""(B, T, d) is reshaped to (B, H, T, d_head) at once."""

# replaces: answer_multi
# fails: multi, multi_masked
# message: project, cut into heads

import numpy as np


def multi_head(x, memory, W_q, W_k, W_v, W_o, heads, mask=None):
    B = len(x)

    def cut(rows):
        return rows.reshape(B, heads, -1, len(W_q) // heads)

    q, k, v = cut(x @ W_q.T), cut(memory @ W_k.T), cut(memory @ W_v.T)
    scores = q @ k.swapaxes(2, 3) / np.sqrt(q.shape[3])
    look = np.ones(scores.shape, bool) if mask is None else mask[:, None]
    scores = np.where(look, scores, -1e300)
    e = np.exp(scores - scores.max(axis=3, keepdims=True)) * look
    weights = e / np.maximum(e.sum(axis=3, keepdims=True), 1e-300)
    joined = (weights @ v).reshape(x.shape)
    return joined @ W_o.T, weights
