"""The forget gate forgets, so it belongs to what is new."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_step
# fails: step
# message: f belongs to the old cell state

import numpy as np


def lstm_step(x_t, h_prev, c_prev, W_x, W_h, b_h):
    a_c, a_f, a_i, a_o = np.split(x_t @ W_x.T + h_prev @ W_h.T + b_h, 4, axis=1)
    c_tilde, f, i, o = np.tanh(a_c), sigmoid(a_f), sigmoid(a_i), sigmoid(a_o)
    c_t = i * c_prev + f * c_tilde
    return np.concatenate([c_tilde, f, i, o], axis=1), o * np.tanh(c_t), c_t
