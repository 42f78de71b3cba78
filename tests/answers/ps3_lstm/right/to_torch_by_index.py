"""A list of rows and a list of signs; the gates' biases go to bias_hh."""

# replaces: answer_gru_to_torch

import numpy as np


def gru_to_torch(W_x, W_h, b_h, b_inner):
    d = len(b_inner)
    rows = np.r_[2 * d : 3 * d, d : 2 * d, 0:d]
    sign = np.repeat([1, -1, 1], d)
    bias = sign * b_h[rows]
    bias_ih, bias_hh = bias.copy(), bias.copy()
    bias_ih[: 2 * d], bias_hh[2 * d :] = 0.0, b_inner
    return sign[:, None] * W_x[rows], sign[:, None] * W_h[rows], bias_ih, bias_hh
