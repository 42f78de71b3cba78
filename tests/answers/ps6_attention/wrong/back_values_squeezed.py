"""Axes of length 1 are in the way, in one of the three."""

# replaces: answer_back
# fails: back_values
# message: dv has shape

import numpy as np


def attention_backward(q, k, v, weights, d_output):
    dA = d_output @ v.swapaxes(1, 2)
    dE = weights * (dA - (weights * dA).sum(axis=2, keepdims=True))
    dE = dE / np.sqrt(q.shape[2])
    dv = weights.swapaxes(1, 2) @ d_output
    return dE @ k, dE.swapaxes(1, 2) @ q, dv.squeeze()
