"""The backward pass starts at T, so the pieces are counted from there."""

# replaces: answer_detached
# fails: detached
# message: does not flow back into step t

import numpy as np


def detached_bptt(states, d_o, W_h, W_y, K):
    T = d_o.shape[1]
    dW_h, carry = np.zeros_like(W_h), np.zeros_like(states[:, 0])
    for t in range(T, 0, -1):
        if (T - t) % K == 0:
            carry = np.zeros_like(carry)
        delta = (d_o[:, t - 1] @ W_y + carry) * (1 - states[:, t] ** 2)
        dW_h += delta.T @ states[:, t - 1]
        carry = delta @ W_h
    return dW_h
