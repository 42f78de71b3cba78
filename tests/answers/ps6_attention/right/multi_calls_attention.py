"""A loop over heads that calls the answer to question 4."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_multi

import numpy as np


def multi_head(x, memory, W_q, W_k, W_v, W_o, heads, mask=None):
    outputs, weights = [], []
    for Q, K, V in zip(*(np.split(W, heads) for W in (W_q, W_k, W_v)), strict=True):
        read, A = attention(x @ Q.T, memory @ K.T, memory @ V.T, mask)
        outputs.append(read)
        weights.append(A)
    return np.concatenate(outputs, axis=2) @ W_o.T, np.stack(weights, axis=1)
