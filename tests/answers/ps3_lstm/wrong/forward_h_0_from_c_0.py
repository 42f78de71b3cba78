"""h_t = o tanh(c_t) holds at t = 0 as well, so h_0 follows from c_0."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_forward
# fails: forward_edges
# message: start at what is given, at zero otherwise

import numpy as np


def lstm_forward(x, W_x, W_h, b_h, h_0=None, c_0=None):
    (B, T, _), d = x.shape, W_h.shape[1]
    gates, h, c = np.zeros((B, T, 4 * d)), *np.zeros((2, B, T + 1, d))
    c[:, 0] = 0 if c_0 is None else c_0
    h[:, 0] = np.tanh(c[:, 0]) if h_0 is None else h_0
    for t in range(T):
        a = x[:, t] @ W_x.T + h[:, t] @ W_h.T + b_h
        gates[:, t] = np.hstack([np.tanh(a[:, :d]), sigmoid(a[:, d:])])
        g, f, i, o = np.split(gates[:, t], 4, axis=1)
        c[:, t + 1] = f * c[:, t] + i * g
        h[:, t + 1] = o * np.tanh(c[:, t + 1])
    return gates, h, c
