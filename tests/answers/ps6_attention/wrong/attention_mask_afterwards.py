"""Weights are set to zero after the softmax."""

# replaces: answer_attention
# fails: masked_attention
# message: applied after the softmax

import numpy as np


def attention(q, k, v, mask=None):
    scores = np.einsum("bnd,bmd->bnm", q, k) / q.shape[2] ** 0.5
    weights = np.exp(scores - scores.max(axis=2, keepdims=True))
    weights /= weights.sum(axis=2, keepdims=True)
    if mask is not None:
        weights[~mask] = 0.0
    return weights @ v, weights
