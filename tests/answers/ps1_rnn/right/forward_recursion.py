"""The states of a sequence are those of the shorter one and one more."""

# replaces: answer_forward

import numpy as np


def rnn_forward(x, W_h, W_x, b_h, W_y, b_y, h_0=None):
    if h_0 is None:
        h_0 = np.zeros((x.shape[0], W_h.shape[0]))
    if x.shape[1] == 0:
        return h_0[:, None], np.zeros((x.shape[0], 0, W_y.shape[0]))
    states, o = rnn_forward(x[:, :-1], W_h, W_x, b_h, W_y, b_y, h_0)
    h = np.tanh(states[:, -1] @ W_h.T + x[:, -1] @ W_x.T + b_h)
    last = h @ W_y.T + b_y
    return (
        np.concatenate([states, h[:, None]], axis=1),
        np.concatenate([o, last[:, None]], axis=1),
    )
