"""sigma(a) = (1 + tanh(a / 2)) / 2, so one tanh does for all four blocks."""

# replaces: answer_step

import numpy as np


def lstm_step(x_t, h_prev, c_prev, W_x, W_h, b_h):
    d = h_prev.shape[1]
    scale = np.repeat([1.0, 0.5, 0.5, 0.5], d)
    both, W = np.hstack([x_t, h_prev]), np.hstack([W_x, W_h])
    gates = np.tanh(scale * (both @ W.T + b_h))
    gates[:, d:] = 0.5 + 0.5 * gates[:, d:]
    c_t = gates[:, d : 2 * d] * c_prev + gates[:, 2 * d : 3 * d] * gates[:, :d]
    return gates, gates[:, 3 * d :] * np.tanh(c_t), c_t
