"""As in Cho et al. and in torch: an open update gate keeps."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_gru
# fails: gru, gru_after
# message: z replaces: z goes with the candidate

import numpy as np


def blend(z, h_prev, h_tilde):
    return z * h_prev + (1 - z) * h_tilde


def gru_step(x_t, h_prev, W_x, W_h, b_h):
    u_h, u_z, u_r = np.split(x_t @ W_x.T + b_h, 3, axis=1)
    W, W_z, W_r = np.split(W_h, 3)
    z, r = sigmoid(u_z + h_prev @ W_z.T), sigmoid(u_r + h_prev @ W_r.T)
    return blend(z, h_prev, np.tanh(u_h + (r * h_prev) @ W.T))


# replaces: answer_gru_after
def gru_step_after(x_t, h_prev, W_x, W_h, b_h, b_inner):
    u_h, u_z, u_r = np.split(x_t @ W_x.T + b_h, 3, axis=1)
    v_h, v_z, v_r = np.split(h_prev @ W_h.T, 3, axis=1)
    z, r = sigmoid(u_z + v_z), sigmoid(u_r + v_r)
    return blend(z, h_prev, np.tanh(u_h + r * (v_h + b_inner)))
