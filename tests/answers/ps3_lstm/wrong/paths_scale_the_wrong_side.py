"""The way from c_{t-1} to h_{t-1} multiplies rows, as all the other factors do."""

# replaces: answer_paths
# fails: paths=2/8
# message: scales columns, not rows

import numpy as np


def four_paths(gates_t, o_prev, c_prev, W_h):
    g, f, i, _ = np.split(gates_t, 4, axis=1)
    W_c, W_f, W_i, _ = np.split(W_h, 4)
    v = o_prev * (1 - np.tanh(c_prev) ** 2)
    return {
        "direct": np.stack([np.diag(row) for row in f]),
        "f": (v * c_prev * f * (1 - f))[:, :, None] * W_f,
        "i": (v * g * i * (1 - i))[:, :, None] * W_i,
        "c": (v * i * (1 - g**2))[:, :, None] * W_c,
    }
