"""torch adds both biases of r and z: each gets one half."""

# replaces: answer_gru_to_torch

import numpy as np


def gru_to_torch(W_x, W_h, b_h, b_inner):
    d = len(b_inner)
    order = np.r_[2 * d : 3 * d, d : 2 * d, 0:d]
    sign = np.repeat([1.0, -1.0, 1.0], d)
    bias = sign * b_h[order]
    half = bias[: 2 * d] / 2
    ih, hh = np.r_[half, bias[2 * d :]], np.r_[half, b_inner]
    return [sign[:, None] * W_x[order], sign[:, None] * W_h[order], ih, hh]
