"""torch's order r, z, n is the order of every GRU."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_gru
# fails: gru
# message: torch's order r, z, h~

import numpy as np


def gru_step(x_t, h_prev, W_x, W_h, b_h):
    u_r, u_z, u_h = np.split(x_t @ W_x.T + b_h, 3, axis=1)
    W_r, W_z, W = np.split(W_h, 3)
    z, r = sigmoid(u_z + h_prev @ W_z.T), sigmoid(u_r + h_prev @ W_r.T)
    return (1 - z) * h_prev + z * np.tanh(u_h + (r * h_prev) @ W.T)
