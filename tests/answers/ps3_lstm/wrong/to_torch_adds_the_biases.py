"""Only the sum of two biases matters."""

# replaces: answer_gru_to_torch
# fails: gru_to_torch
# message: b_inner must stay apart

import numpy as np


def gru_to_torch(W_x, W_h, b_h, b_inner):
    def turned(w):
        h_tilde, z, r = np.split(w, 3)
        return np.concatenate([r, -z, h_tilde])

    bias_ih = turned(b_h)
    bias_ih[-len(b_inner) :] += b_inner
    return turned(W_x), turned(W_h), bias_ih, np.zeros_like(b_h)
