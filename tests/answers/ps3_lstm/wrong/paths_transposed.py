"""Denominator layout, as in many books."""

# replaces: answer_paths
# fails: paths=2/8
# message: it is transposed; rows belong to c_t

import numpy as np


def four_paths(gates_t, o_prev, c_prev, W_h):
    g, f, i, _ = np.split(gates_t, 4, axis=1)
    W_c, W_f, W_i, _ = np.split(W_h, 4)
    v = (o_prev * (1 - np.tanh(c_prev) ** 2))[:, :, None]
    return {
        "direct": np.stack([np.diag(row) for row in f]),
        "f": v * W_f.T * (c_prev * f * (1 - f))[:, None],
        "i": v * W_i.T * (g * i * (1 - i))[:, None],
        "c": v * W_c.T * (i * (1 - g**2))[:, None],
    }
