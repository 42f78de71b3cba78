"""The slope is computed as if the gates were pre-activations."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_gate_deltas
# fails: gate_deltas
# message: times the slope

import numpy as np


def gate_deltas(gates_t, c_prev, c_t, g_h, g_c):
    def slope(a):
        return sigmoid(a) * (1 - sigmoid(a))

    g, f, i, o = np.split(gates_t, 4, axis=1)
    d_c = g_c * i * (1 - np.tanh(g) ** 2)
    d_f, d_i = g_c * c_prev * slope(f), g_c * g * slope(i)
    return np.hstack([d_c, d_f, d_i, g_h * np.tanh(c_t) * slope(o)])
