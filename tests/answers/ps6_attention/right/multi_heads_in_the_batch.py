"""The heads join the batch axis, in float32."""

# replaces: answer_multi

import numpy as np


def multi_head(x, memory, W_q, W_k, W_v, W_o, heads, mask=None):
    B, N, M = len(x), x.shape[1], memory.shape[1]

    def cut(rows):  # (B, T, d) -> (B H, T, d_head)
        parts = np.split(rows.astype(np.float32), heads, axis=2)
        return np.stack(parts, axis=1).reshape(B * heads, rows.shape[1], -1)

    q, k, v = cut(x @ W_q.T), cut(memory @ W_k.T), cut(memory @ W_v.T)
    scores = q @ k.swapaxes(1, 2) / np.sqrt(q.shape[2])
    if mask is not None:
        scores = scores + np.repeat(np.where(mask, 0, -np.inf), heads, axis=0)
    with np.errstate(invalid="ignore"):
        e = np.exp(scores - scores.max(axis=2, keepdims=True))
        weights = np.nan_to_num(e / e.sum(axis=2, keepdims=True))
    read = (weights @ v).reshape(B, heads, N, -1)
    joined = np.concatenate(list(read.swapaxes(0, 1)), axis=2)
    return joined @ W_o.T, weights.reshape(B, heads, N, M)
