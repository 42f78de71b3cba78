"""h = o c, as some notes have it, so the way from c to h is the factor o."""

# replaces: answer_paths
# fails: paths=2/8
# message: the tanh is forgotten

import numpy as np


def four_paths(gates_t, o_prev, c_prev, W_h):
    g, f, i, _ = np.split(gates_t, 4, axis=1)
    W_c, W_f, W_i, _ = np.split(W_h, 4)
    return {
        "direct": np.stack([np.diag(row) for row in f]),
        "f": (c_prev * f * (1 - f))[:, :, None] * W_f * o_prev[:, None],
        "i": (g * i * (1 - i))[:, :, None] * W_i * o_prev[:, None],
        "c": (i * (1 - g**2))[:, :, None] * W_c * o_prev[:, None],
    }
