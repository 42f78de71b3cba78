"""h = o c, as some notes have it: the tanh around the cell is forgotten."""

# replaces: answer_gate_deltas
# fails: gate_deltas=6/8
# message: it meets tanh(c_t), not c_t

import numpy as np


def gate_deltas(gates_t, c_prev, c_t, g_h, g_c):
    g, f, i, o = np.split(gates_t, 4, axis=1)
    d_f, d_i = g_c * c_prev * f * (1 - f), g_c * g * i * (1 - i)
    return np.hstack([g_c * i * (1 - g**2), d_f, d_i, g_h * c_t * o * (1 - o)])
