"""The forward pass calls the step of question 1, with a helper of its own."""

# replaces: answer_step
import numpy as np


def affine(W, v, b=0.0):
    return v @ W.T + b


def rnn_step(x_t, h_prev, W_h, W_x, b_h):
    return np.tanh(affine(W_h, h_prev) + affine(W_x, x_t, b_h))


# replaces: answer_forward
def rnn_forward(x, W_h, W_x, b_h, W_y, b_y, h_0=None):
    if h_0 is None:
        h_0 = np.zeros((len(x), len(W_h)))
    states = [h_0]
    for x_t in x.swapaxes(0, 1):
        states.append(rnn_step(x_t, states[-1], W_h, W_x, b_h))
    states = np.stack(states, axis=1)
    return states, affine(W_y, states[:, 1:], b_y)
