"""The gradient goes back through W_h at every step."""

# replaces: answer_shares
# fails: shares
# message: with the slopes of the same step

import numpy as np


def lag_shares(states, W_h, d_last):
    T = states.shape[1] - 1
    delta, sizes = d_last, np.zeros(T)
    for k in range(T):
        sizes[k] = np.linalg.norm(delta.T @ states[:, T - k - 1])
        delta = delta @ W_h
    return sizes / sizes.sum()
