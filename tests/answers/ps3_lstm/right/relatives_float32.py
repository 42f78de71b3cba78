"""Single precision and lists."""

# replaces: answer_coupled

import numpy as np


def blocks(x_t, h_prev, W_x, W_h, b_h):
    x, h, U, W, b = (v.astype(np.float32) for v in (x_t, h_prev, W_x, W_h, b_h))
    return np.split(x @ U.T + h @ W.T + b, len(b) // h.shape[1], axis=1)


def coupled_step(x_t, h_prev, c_prev, W_x, W_h, b_h):
    a_c, a_f, a_o = blocks(x_t, h_prev, W_x, W_h, b_h)
    g = np.tanh(a_c)
    c_t = g + (c_prev.astype(np.float32) - g) / (1 + np.exp(-a_f))
    return [np.tanh(c_t) / (1 + np.exp(-a_o)), c_t]


# replaces: answer_peephole
def peephole_step(x_t, h_prev, c_prev, W_x, W_h, b_h, p_f, p_i, p_o):
    a_c, a_f, a_i, a_o = blocks(x_t, h_prev, W_x, W_h, b_h)
    c = c_prev.astype(np.float32)
    c_t = c / (1 + np.exp(-a_f - p_f * c)) + np.tanh(a_c) / (1 + np.exp(-a_i - p_i * c))
    return [np.tanh(c_t) / (1 + np.exp(-a_o - p_o * c_t)), c_t]
