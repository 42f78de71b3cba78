"""The candidate is squashed by a sigmoid, as on a published slide."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_gru
# fails: gru
# message: compare it with the four formulas

import numpy as np


def gru_step(x_t, h_prev, W_x, W_h, b_h):
    u_h, u_z, u_r = np.split(x_t @ W_x.T + b_h, 3, axis=1)
    W, W_z, W_r = np.split(W_h, 3)
    z, r = sigmoid(u_z + h_prev @ W_z.T), sigmoid(u_r + h_prev @ W_r.T)
    return (1 - z) * h_prev + z * sigmoid(u_h + (r * h_prev) @ W.T)
