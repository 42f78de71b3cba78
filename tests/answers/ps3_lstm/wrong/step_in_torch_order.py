"""torch's i, f, g, o is the order of every LSTM."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_step
# fails: step
# message: torch's order i, f, c~, o

import numpy as np


def lstm_step(x_t, h_prev, c_prev, W_x, W_h, b_h):
    a_i, a_f, a_g, a_o = np.split(x_t @ W_x.T + h_prev @ W_h.T + b_h, 4, axis=1)
    i, f, g, o = sigmoid(a_i), sigmoid(a_f), np.tanh(a_g), sigmoid(a_o)
    c_t = f * c_prev + i * g
    return np.concatenate([i, f, g, o], axis=1), o * np.tanh(c_t), c_t
