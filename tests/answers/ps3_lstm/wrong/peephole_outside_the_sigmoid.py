"""The peephole is added to the gate."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_peephole
# fails: peephole
# message: all inside the sigmoid

import numpy as np


def peephole_step(x_t, h_prev, c_prev, W_x, W_h, b_h, p_f, p_i, p_o):
    a = x_t @ W_x.T + h_prev @ W_h.T + b_h
    a_c, a_f, a_i, a_o = np.split(a, 4, axis=1)
    f, i = sigmoid(a_f) + p_f * c_prev, sigmoid(a_i) + p_i * c_prev
    c_t = f * c_prev + i * np.tanh(a_c)
    return (sigmoid(a_o) + p_o * c_t) * np.tanh(c_t), c_t
