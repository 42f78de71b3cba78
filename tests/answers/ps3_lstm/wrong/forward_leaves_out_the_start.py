"""The results are those of the T steps; the start is known anyway."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_forward
# fails: forward, forward_edges
# message: belongs in front

import numpy as np


def lstm_forward(x, W_x, W_h, b_h, h_0=None, c_0=None):
    (B, T, _), d = x.shape, W_h.shape[1]
    h_t = np.zeros((B, d)) if h_0 is None else h_0
    c_t = np.zeros((B, d)) if c_0 is None else c_0
    gates, h, c = np.zeros((B, T, 4 * d)), np.zeros((B, T, d)), np.zeros((B, T, d))
    for t in range(T):
        a = x[:, t] @ W_x.T + h_t @ W_h.T + b_h
        gates[:, t] = np.hstack([np.tanh(a[:, :d]), sigmoid(a[:, d:])])
        g, f, i, o = np.split(gates[:, t], 4, axis=1)
        c_t = f * c_t + i * g
        h_t = o * np.tanh(c_t)
        h[:, t], c[:, t] = h_t, c_t
    return gates, h, c
