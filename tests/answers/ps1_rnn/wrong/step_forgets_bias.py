"""The bias only shifts things, so it cannot matter much."""

# replaces: answer_step
# fails: step
# message: the bias b_h is missing

import numpy as np


def rnn_step(x_t, h_prev, W_h, W_x, b_h):
    return np.tanh(h_prev @ W_h.T + x_t @ W_x.T)
