"""One slip in the step, and the forward pass calls the step."""

# replaces: answer_step
# fails: step, forward, forward_edges
# message: the .T is missing

import numpy as np


def rnn_step(x_t, h_prev, W_h, W_x, b_h):
    return np.tanh(h_prev @ W_h + x_t @ W_x.T + b_h)


# replaces: answer_forward
def rnn_forward(x, W_h, W_x, b_h, W_y, b_y, h_0=None):
    h = np.zeros((len(x), len(W_h))) if h_0 is None else h_0
    states = [h]
    for t in range(x.shape[1]):
        states.append(rnn_step(x[:, t], states[-1], W_h, W_x, b_h))
    states = np.stack(states, axis=1)
    return states, states[:, 1:] @ W_y.T + b_y
