"""A product is a product: `*` as in the published cell that multiplies entries."""

# replaces: answer_step
# fails: step
# message: is there a * where @ is meant

import numpy as np


def rnn_step(x_t, h_prev, W_h, W_x, b_h):
    return np.tanh(W_h * h_prev + W_x * x_t + b_h)
