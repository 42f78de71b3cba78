"""The first block of W_h is taken for that of the forget gate."""

# replaces: answer_paths
# fails: paths=2/8
# message: other factor, slope, matrix

import numpy as np


def four_paths(gates_t, o_prev, c_prev, W_h):
    g, f, i, _ = np.split(gates_t, 4, axis=1)
    W_f, W_i, W_c, _ = np.split(W_h, 4)
    v = (o_prev * (1 - np.tanh(c_prev) ** 2))[:, None]
    return {
        "direct": f[:, :, None] * np.eye(f.shape[1]),
        "f": (c_prev * f * (1 - f))[:, :, None] * W_f * v,
        "i": (g * i * (1 - i))[:, :, None] * W_i * v,
        "c": (i * (1 - g**2))[:, :, None] * W_c * v,
    }
