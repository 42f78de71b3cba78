"""A loss is a mean over the batch."""

# replaces: answer_detached
# fails: detached
# message: nothing here is averaged

import numpy as np


def detached_bptt(states, d_o, W_h, W_y, K):
    T = d_o.shape[1]
    dW_h, carry = np.zeros_like(W_h), np.zeros_like(states[:, 0])
    for t in range(T, 0, -1):
        if t % K == 0:
            carry = np.zeros_like(carry)
        delta = (d_o[:, t - 1] @ W_y + carry) * (1 - states[:, t] ** 2)
        dW_h += delta.T @ states[:, t - 1] / len(d_o)
        carry = delta @ W_h
    return dW_h
