"""One slip in the step, and the forward pass calls the step."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_step
# fails: step, forward, forward_edges
# message: the term W_h h_{t-1} is missing

import numpy as np


def lstm_step(x_t, h_prev, c_prev, W_x, W_h, b_h):
    a_c, a_f, a_i, a_o = np.split(x_t @ W_x.T + b_h, 4, axis=1)
    c_tilde, f, i, o = np.tanh(a_c), sigmoid(a_f), sigmoid(a_i), sigmoid(a_o)
    c_t = f * c_prev + i * c_tilde
    return np.concatenate([c_tilde, f, i, o], axis=1), o * np.tanh(c_t), c_t


# replaces: answer_forward
def lstm_forward(x, W_x, W_h, b_h, h_0=None, c_0=None):
    B, T, _ = x.shape
    d_h = W_h.shape[1]
    gates, h, c = np.zeros((B, T, 4 * d_h)), *np.zeros((2, B, T + 1, d_h))
    h[:, 0] = 0 if h_0 is None else h_0
    c[:, 0] = 0 if c_0 is None else c_0
    for t in range(T):
        gates[:, t], h[:, t + 1], c[:, t + 1] = lstm_step(
            x[:, t], h[:, t], c[:, t], W_x, W_h, b_h
        )
    return gates, h, c
