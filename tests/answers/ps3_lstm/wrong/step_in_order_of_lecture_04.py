"""Lecture 04 lists the gates as f, i, o, c, so the blocks stand like that."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_step
# fails: step
# message: the order f, i, o, c~

import numpy as np


def lstm_step(x_t, h_prev, c_prev, W_x, W_h, b_h):
    d_h = h_prev.shape[1]
    a = x_t @ W_x.T + h_prev @ W_h.T + b_h
    f, i, o = (sigmoid(a[:, k * d_h : (k + 1) * d_h]) for k in range(3))
    c_tilde = np.tanh(a[:, 3 * d_h :])
    c_t = f * c_prev + i * c_tilde
    return np.hstack([c_tilde, f, i, o]), o * np.tanh(c_t), c_t
