"""These are the gradients at the gates, not at their pre-activations."""

# replaces: answer_gate_deltas
# fails: gate_deltas
# message: the slope of its squashing function is missing

import numpy as np


def gate_deltas(gates_t, c_prev, c_t, g_h, g_c):
    g, f, i, o = np.split(gates_t, 4, axis=1)
    return np.hstack([g_c * i, g_c * c_prev, g_c * g, g_h * np.tanh(c_t)])
