"""The gates that are kept are those before the squashing."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_step
# fails: step
# message: the values before tanh and sigmoid

import numpy as np


def lstm_step(x_t, h_prev, c_prev, W_x, W_h, b_h):
    a = x_t @ W_x.T + h_prev @ W_h.T + b_h
    a_c, a_f, a_i, a_o = np.split(a, 4, axis=1)
    c_t = sigmoid(a_f) * c_prev + sigmoid(a_i) * np.tanh(a_c)
    return a, sigmoid(a_o) * np.tanh(c_t), c_t
