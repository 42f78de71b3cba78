"""All three gates are computed first, so all see the same cell state."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_peephole
# fails: peephole
# message: the output gate sees the new cell state

import numpy as np


def peephole_step(x_t, h_prev, c_prev, W_x, W_h, b_h, p_f, p_i, p_o):
    a = x_t @ W_x.T + h_prev @ W_h.T + b_h
    a_c, a_f, a_i, a_o = np.split(a, 4, axis=1)
    f, i, o = (sigmoid(s + p * c_prev) for s, p in ((a_f, p_f), (a_i, p_i), (a_o, p_o)))
    c_t = f * c_prev + i * np.tanh(a_c)
    return o * np.tanh(c_t), c_t
