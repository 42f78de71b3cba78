"""`h_0 or zeros` picks zeros if nothing is given; with an array it is an error."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_forward
# fails: forward_edges
# message: The truth value of an array

import numpy as np


def lstm_forward(x, W_x, W_h, b_h, h_0=None, c_0=None):
    (B, T, _), d = x.shape, W_h.shape[1]
    gates, h, c = np.zeros((B, T, 4 * d)), *np.zeros((2, B, T + 1, d))
    h[:, 0] = h_0 or 0.0
    c[:, 0] = c_0 or 0.0
    for t in range(T):
        a = x[:, t] @ W_x.T + h[:, t] @ W_h.T + b_h
        gates[:, t] = np.hstack([np.tanh(a[:, :d]), sigmoid(a[:, d:])])
        g, f, i, o = np.split(gates[:, t], 4, axis=1)
        c[:, t + 1] = f * c[:, t] + i * g
        h[:, t + 1] = o * np.tanh(c[:, t + 1])
    return gates, h, c
