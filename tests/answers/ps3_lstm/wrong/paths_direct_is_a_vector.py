"""The direct path multiplies by f, so it is f."""

# replaces: answer_paths
# fails: paths=6/8
# message: it is a vector; make it a diagonal matrix

import numpy as np


def four_paths(gates_t, o_prev, c_prev, W_h):
    g, f, i, _ = np.split(gates_t, 4, axis=1)
    W_c, W_f, W_i, _ = np.split(W_h, 4)
    v = (o_prev * (1 - np.tanh(c_prev) ** 2))[:, None]
    return {
        "direct": f,
        "f": (c_prev * f * (1 - f))[:, :, None] * W_f * v,
        "i": (g * i * (1 - i))[:, :, None] * W_i * v,
        "c": (i * (1 - g**2))[:, :, None] * W_c * v,
    }
