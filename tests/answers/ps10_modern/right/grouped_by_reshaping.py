"""A group axis, no copies of keys."""

# replaces: answer_grouped

import numpy as np


def grouped_attention(q, k, v):
    (H, T, d), G = q.shape, k.shape[0]
    q = q.reshape(G, H // G, T, d)
    scores = np.einsum("gsnd,gmd->gsnm", q, k) * d**-0.5
    scores = scores + np.triu(np.full((T, T), -1e30), 1)
    scores -= scores.max(-1, keepdims=True)
    weights = np.exp(scores)
    weights /= weights.sum(-1, keepdims=True)
    return np.einsum("gsnm,gme->gsne", weights, v).reshape(H, T, -1)
