"""The gradient of the values takes the way of the keys."""

# replaces: answer_back
# fails: back_values
# message: dV = A^T dY

import numpy as np


def attention_backward(q, k, v, weights, d_output):
    dv = (weights * (1 - weights)).swapaxes(1, 2) @ d_output
    d_weights = d_output @ v.swapaxes(1, 2)
    total = np.sum(weights * d_weights, axis=2, keepdims=True)
    d_scores = weights * (d_weights - total) / np.sqrt(q.shape[2])
    dq = d_scores @ k
    dk = d_scores.swapaxes(1, 2) @ q
    return dq, dk, dv
