"""Axes of length 1 are superfluous."""

# replaces: answer_gru
# fails: gru
# message: has shape (), expected (1, 1)

import numpy as np


def gru_step(x_t, h_prev, W_x, W_h, b_h):
    u_h, u_z, u_r = np.split(x_t @ W_x.T + b_h, 3, axis=1)
    W_candidate, W_z, W_r = np.split(W_h, 3)
    z, r = (1 / (1 + np.exp(-u - h_prev @ W.T)) for u, W in [(u_z, W_z), (u_r, W_r)])
    h_tilde = np.tanh(u_h + (r * h_prev) @ W_candidate.T)
    return np.squeeze((1 - z) * h_prev + z * h_tilde)
