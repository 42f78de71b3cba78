"""Masked arrays know what is hidden."""

# replaces: answer_grouped

import numpy as np


def grouped_attention(q, k, v):
    (_, T, d), served = q.shape, len(q) // len(k)
    scores = np.einsum("htd,hsd->hts", q, k.repeat(served, 0)) / np.sqrt(d)
    hidden = np.broadcast_to(np.triu(np.ones((T, T), dtype=bool), 1), scores.shape)
    scores = np.ma.masked_array(scores, hidden)
    e = np.ma.exp(scores - scores.max(-1, keepdims=True)).filled(0.0)
    return e / e.sum(-1, keepdims=True) @ v.repeat(served, 0)
