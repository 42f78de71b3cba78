"""The bridge is crossed first, and the cell's gradient completed afterwards."""

# replaces: answer_step_back
# fails: step_back=6/9
# message: g_c_prev is wrong: g^c_t lacks what comes through h_t

import numpy as np


def lstm_step_back(gates_t, c_prev, c_t, g_h, g_c_later, W_h):
    g, f, i, o = np.split(gates_t, 4, axis=1)
    bridge = g_c_later * f
    g_c = g_c_later + g_h * o * (1 - np.tanh(c_t) ** 2)
    d_f, d_i = g_c * c_prev * f * (1 - f), g_c * g * i * (1 - i)
    d_o = g_h * np.tanh(c_t) * o * (1 - o)
    delta = np.hstack([g_c * i * (1 - g**2), d_f, d_i, d_o])
    return delta, delta @ W_h, bridge
