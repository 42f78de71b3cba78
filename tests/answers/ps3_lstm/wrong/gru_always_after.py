"""One product for all three blocks is faster, and the reset gate comes after it."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_gru
# fails: gru
# message: the reset gate acts after the product; here it acts before

import numpy as np


def gru_step(x_t, h_prev, W_x, W_h, b_h):
    u_h, u_z, u_r = np.split(x_t @ W_x.T + b_h, 3, axis=1)
    v_h, v_z, v_r = np.split(h_prev @ W_h.T, 3, axis=1)
    z, r = sigmoid(u_z + v_z), sigmoid(u_r + v_r)
    return (1 - z) * h_prev + z * np.tanh(u_h + r * v_h)
