"""The two matrices of z change their sign; a bias is only a shift."""

# replaces: answer_gru_to_torch
# fails: gru_to_torch
# message: signs (matrices and bias)

import numpy as np


def gru_to_torch(W_x, W_h, b_h, b_inner):
    def turned(w, sign):
        h_tilde, z, r = np.split(w, 3)
        return np.concatenate([r, sign * z, h_tilde])

    bias_hh = np.concatenate([0 * b_inner, 0 * b_inner, b_inner])
    return turned(W_x, -1), turned(W_h, -1), turned(b_h, 1), bias_hh
