"""All four gates feed the cell, so all four start from g_c."""

# replaces: answer_gate_deltas
# fails: gate_deltas=6/8
# message: delta of o is wrong: it starts from g_h

import numpy as np


def gate_deltas(gates_t, c_prev, c_t, g_h, g_c):
    g, f, i, o = np.split(gates_t, 4, axis=1)
    others = np.hstack([i, c_prev, g, np.tanh(c_t)])
    slopes = np.hstack([1 - g**2, f * (1 - f), i * (1 - i), o * (1 - o)])
    return np.tile(g_c, 4) * others * slopes
