"""To detach every K steps means to look back over K steps."""

# replaces: answer_detached
# fails: detached
# message: this is a sliding window

import numpy as np


def detached_bptt(states, d_o, W_h, W_y, K):
    dW_h = np.zeros_like(W_h)
    for t in range(1, d_o.shape[1] + 1):
        g = (d_o[:, t - 1] @ W_y) * (1 - states[:, t] ** 2)
        for tau in range(t, max(0, t - K - 1), -1):
            dW_h += g.T @ states[:, tau - 1]
            g = (g @ W_h) * (1 - states[:, tau - 1] ** 2)
    return dW_h
