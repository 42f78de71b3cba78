"""This is dc_t/dh_{t-1}: the last piece of the way is left out."""

# replaces: answer_paths
# fails: paths=2/8
# message: the way from c_{t-1} to h_{t-1} is missing

import numpy as np


def four_paths(gates_t, o_prev, c_prev, W_h):
    g, f, i, _ = np.split(gates_t, 4, axis=1)
    W_c, W_f, W_i, _ = np.split(W_h, 4)
    return {
        "direct": f[:, :, None] * np.eye(f.shape[1]),
        "f": (c_prev * f * (1 - f))[:, :, None] * W_f,
        "i": (g * i * (1 - i))[:, :, None] * W_i,
        "c": (i * (1 - g**2))[:, :, None] * W_c,
    }
