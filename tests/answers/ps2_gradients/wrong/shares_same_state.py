"""The weights of step t meet the state of step t."""

# replaces: answer_shares
# fails: shares
# message: delta_t meets h_{t-1}, the state before the step

import numpy as np


def lag_shares(states, W_h, d_last):
    T = states.shape[1] - 1
    delta, sizes = d_last * (1 - states[:, T] ** 2), np.zeros(T)
    for k in range(T):
        sizes[k] = np.linalg.norm(delta.T @ states[:, T - k])
        delta = (delta @ W_h) * (1 - states[:, T - k - 1] ** 2)
    return sizes / sizes.sum()
