"""Index notation, a list as result."""

# replaces: answer_input_gradients

import numpy as np


def input_gradients(delta, W_h, W_x):
    dx = np.einsum("bti,ij->btj", delta, W_x)
    return [dx, np.einsum("bi,ij->bj", delta[:, 0], W_h)]
