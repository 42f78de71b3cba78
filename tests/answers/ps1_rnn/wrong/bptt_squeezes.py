"""Axes of length 1 are taken away, also where they belong to the weight."""

# replaces: answer_bptt
# fails: bptt=12/15
# message: dW_x has shape

import numpy as np


def bptt(x, states, d_o, W_h, W_y):
    delta, carry = np.zeros_like(states[:, 1:]), 0.0
    for t in range(x.shape[1], 0, -1):
        delta[:, t - 1] = (d_o[:, t - 1] @ W_y + carry) * (1 - states[:, t] ** 2)
        carry = delta[:, t - 1] @ W_h
    dW_h = np.einsum("bti,btj->ij", delta, states[:, :-1])
    return delta, dW_h, np.einsum("bti,btj->ij", delta, x).squeeze(), delta.sum((0, 1))
