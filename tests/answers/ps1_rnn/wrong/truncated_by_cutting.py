"""Truncated BPTT is what `detach` does every K steps."""

# replaces: answer_truncated
# fails: truncated
# message: each t has its own window

import numpy as np


def truncated_bptt(states, d_o, W_h, W_y, K):
    K = max(K, 1)
    dW_h, carry = np.zeros_like(W_h), 0
    for t in range(d_o.shape[1], 0, -1):
        if t % K == 0:
            carry = 0
        delta = (d_o[:, t - 1] @ W_y + carry) * (1 - states[:, t] ** 2)
        dW_h += delta.T @ states[:, t - 1]
        carry = delta @ W_h
    return dW_h
