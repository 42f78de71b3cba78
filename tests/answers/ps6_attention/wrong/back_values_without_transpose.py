"""A times dY, in the order of the forward pass."""

# replaces: answer_back
# fails: back_values, back_scores
# message: the shapes do not fit

import numpy as np


def attention_backward(q, k, v, weights, d_output):
    dv = weights @ d_output
    d_weights = d_output @ v.swapaxes(1, 2)
    total = np.sum(weights * d_weights, axis=2, keepdims=True)
    d_scores = weights * (d_weights - total) / np.sqrt(q.shape[2])
    dq = d_scores @ k
    dk = d_scores.swapaxes(1, 2) @ q
    return dq, dk, dv
