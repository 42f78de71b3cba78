"""The output gate shows the cell state as it is."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_step
# fails: step
# message: the tanh around c_t is missing

import numpy as np


def lstm_step(x_t, h_prev, c_prev, W_x, W_h, b_h):
    d_h = h_prev.shape[1]
    gates = x_t @ W_x.T + h_prev @ W_h.T + b_h
    gates[:, :d_h] = np.tanh(gates[:, :d_h])
    gates[:, d_h:] = sigmoid(gates[:, d_h:])
    c_tilde, f, i, o = np.split(gates, 4, axis=1)
    c_t = f * c_prev + i * c_tilde
    return gates, o * c_t, c_t
