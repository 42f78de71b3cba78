"""tanh by its formula; where exp is infinite it is infinity by infinity."""

# replaces: answer_step
# fails: step
# message: not finite

import numpy as np


def rnn_step(x_t, h_prev, W_h, W_x, b_h):
    grown = np.exp(2 * (h_prev @ W_h.T + x_t @ W_x.T + b_h))
    return (grown - 1) / (grown + 1)
