"""The states are not needed after the slopes, so they are overwritten by them."""

# replaces: answer_bptt
# fails: bptt=0/15
# message: changed in place

import numpy as np


def bptt(x, states, d_o, W_h, W_y):
    B, T, _ = x.shape
    before = states[:, :-1].copy()
    states **= 2
    delta, carry = np.zeros((B, T, len(W_h))), 0
    for t in reversed(range(T)):
        delta[:, t] = (d_o[:, t] @ W_y + carry) * (1 - states[:, t + 1])
        carry = delta[:, t] @ W_h
    dW_h = np.einsum("bti,btj->ij", delta, before)
    dW_x = np.einsum("bti,btj->ij", delta, x)
    return delta, dW_h, dW_x, delta.sum(axis=(0, 1))
