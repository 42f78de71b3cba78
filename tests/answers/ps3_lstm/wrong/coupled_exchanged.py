"""A forget gate of 1 forgets everything."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_coupled
# fails: coupled
# message: f belongs to the old cell state, 1 - f to the candidate

import numpy as np


def coupled_step(x_t, h_prev, c_prev, W_x, W_h, b_h):
    a_c, a_f, a_o = np.split(x_t @ W_x.T + h_prev @ W_h.T + b_h, 3, axis=1)
    f = sigmoid(a_f)
    c_t = (1 - f) * c_prev + f * np.tanh(a_c)
    return sigmoid(a_o) * np.tanh(c_t), c_t
