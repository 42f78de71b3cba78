"""Right numbers, put together as torch does: i, f, g, o."""

# replaces: answer_gate_deltas
# fails: gate_deltas=4/8
# message: this is the delta of i: c~, f, i, o is the order

import numpy as np


def gate_deltas(gates_t, c_prev, c_t, g_h, g_c):
    g, f, i, o = np.split(gates_t, 4, axis=1)
    d_i, d_f = g_c * g * i * (1 - i), g_c * c_prev * f * (1 - f)
    d_g, d_o = g_c * i * (1 - g**2), g_h * np.tanh(c_t) * o * (1 - o)
    return np.hstack([d_i, d_f, d_g, d_o])
