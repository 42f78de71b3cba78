"""There are T steps, so there are T states."""

# replaces: answer_forward
# fails: forward, forward_edges
# message: h_0 belongs in front

import numpy as np


def rnn_forward(x, W_h, W_x, b_h, W_y, b_y, h_0=None):
    B, T, _ = x.shape
    states = np.zeros((B, T, W_h.shape[0]))
    h = np.zeros((B, W_h.shape[0])) if h_0 is None else h_0
    for t in range(T):
        h = np.tanh(h @ W_h.T + x[:, t] @ W_x.T + b_h)
        states[:, t] = h
    return states, states @ W_y.T + b_y
