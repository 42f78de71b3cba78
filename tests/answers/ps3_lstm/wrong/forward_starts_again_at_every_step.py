"""Every step gets the initial states; nothing is carried."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_forward
# fails: forward, forward_edges
# message: every step starts again from zero

import numpy as np


def lstm_forward(x, W_x, W_h, b_h, h_0=None, c_0=None):
    (B, _, _), d = x.shape, W_h.shape[1]
    h_0 = np.zeros((B, d)) if h_0 is None else h_0
    c_0 = np.zeros((B, d)) if c_0 is None else c_0
    a = x @ W_x.T + (h_0 @ W_h.T)[:, None] + b_h
    gates = np.concatenate([np.tanh(a[..., :d]), sigmoid(a[..., d:])], axis=2)
    g, f, i, o = np.split(gates, 4, axis=2)
    c = f * c_0[:, None] + i * g
    h = o * np.tanh(c)
    h = np.concatenate([h_0[:, None], h], axis=1)
    return gates, h, np.concatenate([c_0[:, None], c], axis=1)
