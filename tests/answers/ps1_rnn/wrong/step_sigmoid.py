"""Any squashing function will do, and the sigmoid is the one for neurons."""

# replaces: answer_step
# fails: step
# message: compare it with the formula

import numpy as np


def rnn_step(x_t, h_prev, W_h, W_x, b_h):
    a = h_prev @ W_h.T + x_t @ W_x.T + b_h
    return 1 / (1 + np.exp(-a))
