"""All biases of the candidate can be added up."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_gru_after
# fails: gru_after
# message: b_inner stands inside the bracket

import numpy as np


def gru_step_after(x_t, h_prev, W_x, W_h, b_h, b_inner):
    u_h, u_z, u_r = np.split(x_t @ W_x.T + b_h, 3, axis=1)
    v_h, v_z, v_r = np.split(h_prev @ W_h.T, 3, axis=1)
    z, r = sigmoid(u_z + v_z), sigmoid(u_r + v_r)
    return (1 - z) * h_prev + z * np.tanh(u_h + b_inner + r * v_h)
