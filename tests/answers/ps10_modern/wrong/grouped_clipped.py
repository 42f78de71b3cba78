"""Scores beyond 500 are all the same."""

# replaces: answer_grouped
# fails: grouped
# message: softmax over the last axis

import numpy as np


def grouped_attention(q, k, v):
    H, T, d = q.shape
    k, v = np.repeat(k, H // len(k), 0), np.repeat(v, H // len(v), 0)
    e = np.clip(q @ k.swapaxes(1, 2) / np.sqrt(d), -500, 500)
    w = np.exp(e) * np.tril(np.ones((T, T)))
    return w / w.sum(-1, keepdims=True) @ v
