"""Lists are stacked at the end, and there is always something to stack."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_forward
# fails: forward_edges
# message: need at least one array to stack

import numpy as np


def lstm_forward(x, W_x, W_h, b_h, h_0=None, c_0=None):
    (B, _, _), d = x.shape, W_h.shape[1]
    h = [np.zeros((B, d)) if h_0 is None else h_0]
    c = [np.zeros((B, d)) if c_0 is None else c_0]
    gates = []
    for x_t in x.swapaxes(0, 1):
        a = x_t @ W_x.T + h[-1] @ W_h.T + b_h
        gates.append(np.hstack([np.tanh(a[:, :d]), sigmoid(a[:, d:])]))
        g, f, i, o = np.split(gates[-1], 4, axis=1)
        c.append(f * c[-1] + i * g)
        h.append(o * np.tanh(c[-1]))
    return np.stack(gates, axis=1), np.stack(h, axis=1), np.stack(c, axis=1)
