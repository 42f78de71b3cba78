"""Coupled gates by the ordinary step with W^i = -W^f; peepholes as matrices."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_coupled

import numpy as np


def coupled_step(x_t, h_prev, c_prev, W_x, W_h, b_h):
    def four(w):
        c, f, o = np.split(w, 3)
        return np.concatenate([c, f, -f, o])

    _, h_t, c_t = lstm_step(x_t, h_prev, c_prev, four(W_x), four(W_h), four(b_h))
    return h_t, c_t


# replaces: answer_peephole
def peephole_step(x_t, h_prev, c_prev, W_x, W_h, b_h, p_f, p_i, p_o):
    d = len(p_f)
    a = x_t @ W_x.T + h_prev @ W_h.T + b_h
    a[:, d : 2 * d] += c_prev @ np.diag(p_f)
    a[:, 2 * d : 3 * d] += c_prev @ np.diag(p_i)
    c_t = sigmoid(a[:, d : 2 * d]) * c_prev
    c_t += sigmoid(a[:, 2 * d : 3 * d]) * np.tanh(a[:, :d])
    return sigmoid(a[:, 3 * d :] + c_t @ np.diag(p_o)) * np.tanh(c_t), c_t
