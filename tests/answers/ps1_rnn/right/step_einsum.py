"""Index notation instead of transposes, and tanh by exponentials."""

# replaces: answer_step

import numpy as np


def rnn_step(x_t, h_prev, W_h, W_x, b_h):
    a = np.einsum("ij,bj->bi", W_h, h_prev) + np.einsum("ij,bj->bi", W_x, x_t) + b_h
    return 1 - 2 / (np.exp(2 * a) + 1)
