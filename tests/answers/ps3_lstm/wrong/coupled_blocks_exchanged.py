"""The blocks are c~, o, f: the gates in the order of the alphabet, backwards."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_coupled
# fails: coupled
# message: the blocks stand in the order c~, f, o

import numpy as np


def coupled_step(x_t, h_prev, c_prev, W_x, W_h, b_h):
    a_c, a_o, a_f = np.split(x_t @ W_x.T + h_prev @ W_h.T + b_h, 3, axis=1)
    c_t = sigmoid(a_f) * c_prev + sigmoid(-a_f) * np.tanh(a_c)
    return sigmoid(a_o) * np.tanh(c_t), c_t
