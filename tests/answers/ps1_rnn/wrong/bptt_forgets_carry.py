"""Each loss is differentiated with respect to its own step."""

# replaces: answer_bptt
# fails: bptt=0/15
# message: the carry from the future is missing

import numpy as np


def bptt(x, states, d_o, W_h, W_y):
    delta = (d_o @ W_y) * (1 - states[:, 1:] ** 2)
    dW_h = np.einsum("bti,btj->ij", delta, states[:, :-1])
    dW_x = np.einsum("bti,btj->ij", delta, x)
    return delta, dW_h, dW_x, delta.sum(axis=(0, 1))
