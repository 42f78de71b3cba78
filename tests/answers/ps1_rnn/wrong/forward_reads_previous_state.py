"""The output of a step is made before the state is updated."""

# replaces: answer_forward
# fails: forward
# message: o_t is read from h_t

import numpy as np


def rnn_forward(x, W_h, W_x, b_h, W_y, b_y, h_0=None):
    B, T, _ = x.shape
    states = np.zeros((B, T + 1, W_h.shape[0]))
    if h_0 is not None:
        states[:, 0] = h_0
    outputs = np.zeros((B, T, W_y.shape[0]))
    for t in range(T):
        outputs[:, t] = states[:, t] @ W_y.T + b_y
        states[:, t + 1] = np.tanh(states[:, t] @ W_h.T + x[:, t] @ W_x.T + b_h)
    return states, outputs
