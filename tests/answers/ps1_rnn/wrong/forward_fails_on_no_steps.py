"""A sequence has at least one step, so there is always something to stack."""

# replaces: answer_forward
# fails: forward_edges
# message: at least one array

import numpy as np


def rnn_forward(x, W_h, W_x, b_h, W_y, b_y, h_0=None):
    h = np.zeros((len(x), len(W_h))) if h_0 is None else h_0
    states, outputs = [h], []
    for t in range(x.shape[1]):
        h = np.tanh(h @ W_h.T + x[:, t] @ W_x.T + b_h)
        states.append(h)
        outputs.append(h @ W_y.T + b_y)
    return np.stack(states, axis=1), np.stack(outputs, axis=1)
