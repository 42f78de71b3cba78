"""The diagonal of the softmax Jacobian."""

# replaces: answer_back
# fails: back_scores
# message: only the diagonal

import numpy as np


def attention_backward(q, k, v, weights, d_output):
    dv = weights.swapaxes(1, 2) @ d_output
    d_weights = d_output @ v.swapaxes(1, 2)
    d_scores = weights * (1 - weights) * d_weights / np.sqrt(q.shape[2])
    dq = d_scores @ k
    dk = d_scores.swapaxes(1, 2) @ q
    return dq, dk, dv
