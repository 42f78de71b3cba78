"""The forget gate meets the cell state of its own step."""

# replaces: answer_gate_deltas
# fails: gate_deltas=6/8
# message: delta of f is wrong: it meets the cell state before the step, not c_t

import numpy as np


def gate_deltas(gates_t, c_prev, c_t, g_h, g_c):
    g, f, i, o = np.split(gates_t, 4, axis=1)
    d_o = g_h * np.tanh(c_t) * o * (1 - o)
    d_f, d_i = g_c * c_t * f * (1 - f), g_c * g * i * (1 - i)
    return np.hstack([g_c * i * (1 - g**2), d_f, d_i, d_o])
