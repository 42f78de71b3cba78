"""The order z, r, h is that of Keras."""

# replaces: answer_gru_to_torch
# fails: gru_to_torch
# message: check order, signs

import numpy as np


def gru_to_torch(W_x, W_h, b_h, b_inner):
    def turned(w):
        h_tilde, z, r = np.split(w, 3)
        return np.concatenate([-z, r, h_tilde])

    bias_hh = np.concatenate([np.zeros(2 * len(b_inner)), b_inner])
    return turned(W_x), turned(W_h), turned(b_h), bias_hh
