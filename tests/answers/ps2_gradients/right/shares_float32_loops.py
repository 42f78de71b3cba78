"""Sequence by sequence in single precision."""

# replaces: answer_shares

import numpy as np


def lag_shares(states, W_h, d_last):
    states, W_h, d_last = (np.float32(a) for a in (states, W_h, d_last))
    B, T = len(states), states.shape[1] - 1
    G = np.zeros((T, *W_h.shape), dtype=np.float32)
    for b in range(B):
        g = d_last[b]
        for k in range(T):
            delta = g * (1 - states[b, T - k] ** 2)
            G[k] += np.outer(delta, states[b, T - k - 1])
            g = delta @ W_h
    sizes = np.linalg.norm(G, axis=(1, 2))
    return sizes / sizes.sum()
