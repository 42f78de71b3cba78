"""delta_t and h_t have the same index, so they belong together."""

# replaces: answer_bptt
# fails: bptt=12/15
# message: the state before the step

import numpy as np


def bptt(x, states, d_o, W_h, W_y):
    B, T, _ = x.shape
    delta = np.zeros((B, T, len(W_h)))
    carry = np.zeros((B, len(W_h)))
    for t in reversed(range(T)):
        delta[:, t] = (d_o[:, t] @ W_y + carry) * (1 - states[:, t + 1] ** 2)
        carry = delta[:, t] @ W_h
    dW_h = np.einsum("bti,btj->ij", delta, states[:, 1:])
    dW_x = np.einsum("bti,btj->ij", delta, x)
    return delta, dW_h, dW_x, delta.sum(axis=(0, 1))
