"""The candidate is no gate, so it gets no delta."""

# replaces: answer_gate_deltas
# fails: gate_deltas
# message: four blocks side by side

import numpy as np


def gate_deltas(gates_t, c_prev, c_t, g_h, g_c):
    g, f, i, o = np.split(gates_t, 4, axis=1)
    d_f, d_i = g_c * c_prev * f * (1 - f), g_c * g * i * (1 - i)
    return np.hstack([d_f, d_i, g_h * np.tanh(c_t) * o * (1 - o)])
