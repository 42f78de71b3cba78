"""g_c still lacks what comes through h_t."""

# replaces: answer_gate_deltas
# fails: gate_deltas=2/8
# message: g_c is complete: what comes through h_t is in it

import numpy as np


def gate_deltas(gates_t, c_prev, c_t, g_h, g_c):
    g, f, i, o = np.split(gates_t, 4, axis=1)
    s = np.tanh(c_t)
    g_c = g_c + g_h * o * (1 - s**2)
    d_f, d_i = g_c * c_prev * f * (1 - f), g_c * g * i * (1 - i)
    return np.hstack([g_c * i * (1 - g**2), d_f, d_i, g_h * s * o * (1 - o)])
