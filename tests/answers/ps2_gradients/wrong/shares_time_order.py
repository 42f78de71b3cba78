"""The steps come in the order of time."""

# replaces: answer_shares
# fails: shares
# message: lag 0, the last step, comes first

import numpy as np


def lag_shares(states, W_h, d_last):
    T = states.shape[1] - 1
    delta, sizes = d_last * (1 - states[:, T] ** 2), np.zeros(T)
    for t in range(T, 0, -1):
        sizes[t - 1] = np.linalg.norm(delta.T @ states[:, t - 1])
        delta = (delta @ W_h) * (1 - states[:, t - 1] ** 2)
    return sizes / sizes.sum()
