"""The gradient arrives at h_{t-1}, so the slope is 1 - h_{t-1}^2."""

# replaces: answer_bptt
# fails: bptt=0/15
# message: 1 - h_t^2 of the same step t

import numpy as np


def bptt(x, states, d_o, W_h, W_y):
    B, T, _ = x.shape
    delta = np.zeros((B, T, len(W_h)))
    carry = np.zeros((B, len(W_h)))
    for t in reversed(range(T)):
        delta[:, t] = (d_o[:, t] @ W_y + carry) * (1 - states[:, t] ** 2)
        carry = delta[:, t] @ W_h
    dW_h = np.einsum("bti,btj->ij", delta, states[:, :-1])
    dW_x = np.einsum("bti,btj->ij", delta, x)
    return delta, dW_h, dW_x, delta.sum(axis=(0, 1))
