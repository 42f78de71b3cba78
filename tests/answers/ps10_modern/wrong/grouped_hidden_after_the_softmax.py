"""Softmax first, then hide and divide again."""

# replaces: answer_grouped
# fails: grouped
# message: softmax over the last axis

import numpy as np


def grouped_attention(q, k, v):
    H, T, d = q.shape
    k, v = np.repeat(k, H // len(k), 0), np.repeat(v, H // len(v), 0)
    e = q @ k.swapaxes(1, 2) / np.sqrt(d)
    w = np.exp(e - e.max(-1, keepdims=True)) * np.tril(np.ones((T, T)))
    return w / (w.sum(-1, keepdims=True) + 1e-12) @ v
