"""Each chunk is a sequence of its own, so it starts from a state of zeros."""

# replaces: answer_detached
# fails: detached
# message: what passes over a cut is a constant, not 0

import numpy as np


def detached_bptt(states, d_o, W_h, W_y, K):
    T, gradient = d_o.shape[1], np.zeros_like(W_h)
    for first in range(1, T + 1, K):
        delta = np.zeros_like(states[:, 0])
        for t in range(min(first + K - 1, T), first - 1, -1):
            delta = (d_o[:, t - 1] @ W_y + delta @ W_h) * (1 - states[:, t] ** 2)
            before = np.zeros_like(delta) if t == first else states[:, t - 1]
            gradient += delta.T @ before
    return gradient
