"""One slope for all four blocks: value times one minus value."""

# replaces: answer_gate_deltas
# fails: gate_deltas=6/8
# message: delta of c~ is wrong: the candidate's slope is that of a tanh

import numpy as np


def gate_deltas(gates_t, c_prev, c_t, g_h, g_c):
    g, f, i, o = np.split(gates_t, 4, axis=1)
    at_gates = np.hstack([g_c * i, g_c * c_prev, g_c * g, g_h * np.tanh(c_t)])
    return at_gates * gates_t * (1 - gates_t)
