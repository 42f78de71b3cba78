"""Every sequence has a gradient; their sizes are added."""

# replaces: answer_shares
# fails: shares
# message: sum over the batch before you take the norm

import numpy as np


def lag_shares(states, W_h, d_last):
    T = states.shape[1] - 1
    delta, sizes = d_last * (1 - states[:, T] ** 2), np.zeros(T)
    for k in range(T):
        before = states[:, T - k - 1]
        outer = delta[:, :, None] * before[:, None, :]
        sizes[k] = np.linalg.norm(outer, axis=(1, 2)).sum()
        delta = (delta @ W_h) * (1 - before**2)
    return sizes / sizes.sum()
