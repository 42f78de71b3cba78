"""The derivative of i c~ by i contains i."""

# replaces: answer_gate_deltas
# fails: gate_deltas=6/8
# message: delta of i is wrong: it gets the other factor, not itself

import numpy as np


def gate_deltas(gates_t, c_prev, c_t, g_h, g_c):
    g, f, i, o = np.split(gates_t, 4, axis=1)
    d_o = g_h * np.tanh(c_t) * o * (1 - o)
    d_f, d_i = g_c * c_prev * f * (1 - f), g_c * i * i * (1 - i)
    return np.hstack([g_c * i * (1 - g**2), d_f, d_i, d_o])
