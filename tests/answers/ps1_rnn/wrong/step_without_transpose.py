"""The formula says W_h h, so the code multiplies by W_h as it is."""

# replaces: answer_step
# fails: step
# message: the .T is missing

import numpy as np


def rnn_step(x_t, h_prev, W_h, W_x, b_h):
    return np.tanh(h_prev @ W_h + x_t @ W_x.T + b_h)
