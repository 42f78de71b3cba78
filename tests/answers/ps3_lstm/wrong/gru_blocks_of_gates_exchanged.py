"""Reset comes before update: h~, r, z."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_gru
# fails: gru
# message: the blocks of z and r are exchanged

import numpy as np


def gru_step(x_t, h_prev, W_x, W_h, b_h):
    d = h_prev.shape[1]
    r, z = np.split(sigmoid(x_t @ W_x[d:].T + h_prev @ W_h[d:].T + b_h[d:]), 2, axis=1)
    h_tilde = np.tanh(x_t @ W_x[:d].T + (r * h_prev) @ W_h[:d].T + b_h[:d])
    return h_prev + z * (h_tilde - h_prev)
