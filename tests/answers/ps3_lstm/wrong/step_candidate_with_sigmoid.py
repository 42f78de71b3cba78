"""All four blocks are gates, and gates have sigmoids."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_step
# fails: step
# message: the candidate needs a tanh

import numpy as np


def lstm_step(x_t, h_prev, c_prev, W_x, W_h, b_h):
    gates = sigmoid(x_t @ W_x.T + h_prev @ W_h.T + b_h)
    c_tilde, f, i, o = np.split(gates, 4, axis=1)
    c_t = f * c_prev + i * c_tilde
    return gates, o * np.tanh(c_t), c_t
