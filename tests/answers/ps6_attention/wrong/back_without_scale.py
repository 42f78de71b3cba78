"""The root is forgotten on the way back."""

# replaces: answer_back
# fails: back_scores
# message: of the scores is missing

import numpy as np


def attention_backward(q, k, v, weights, d_output):
    dv = weights.swapaxes(1, 2) @ d_output
    d_weights = d_output @ v.swapaxes(1, 2)
    total = np.sum(weights * d_weights, axis=2, keepdims=True)
    d_scores = weights * (d_weights - total)
    dq = d_scores @ k
    dk = d_scores.swapaxes(1, 2) @ q
    return dq, dk, dv
