"""Question 3 does the gates."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_step_back

import numpy as np


def lstm_step_back(gates_t, c_prev, c_t, g_h, g_c_later, W_h):
    _, f, _, o = np.split(gates_t, 4, axis=1)
    g_c = g_c_later + g_h * o / np.cosh(c_t) ** 2
    delta = gate_deltas(gates_t, c_prev, c_t, g_h, g_c)
    return delta, delta @ W_h, g_c * f
