"""A batch gradient is an average over the batch."""

# replaces: answer_bptt
# fails: bptt=6/15
# message: do not average

import numpy as np


def bptt(x, states, d_o, W_h, W_y):
    B, T, _ = x.shape
    delta = np.zeros((B, T, len(W_h)))
    carry = np.zeros((B, len(W_h)))
    for t in reversed(range(T)):
        delta[:, t] = (d_o[:, t] @ W_y + carry) * (1 - states[:, t + 1] ** 2)
        carry = delta[:, t] @ W_h
    dW_h = np.einsum("bti,btj->ij", delta, states[:, :-1])
    dW_x = np.einsum("bti,btj->ij", delta, x)
    return delta, dW_h / B, dW_x / B, delta.sum(axis=1).mean(axis=0)
