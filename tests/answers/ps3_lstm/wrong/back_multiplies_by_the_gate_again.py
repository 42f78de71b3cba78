"""g^c_{t+1} f_{t+1} stands in the formula, so the gate is multiplied on."""

# replaces: answer_step_back
# fails: step_back
# message: g_c_later is g^c_{t+1} * f_{t+1} already

import numpy as np


def lstm_step_back(gates_t, c_prev, c_t, g_h, g_c_later, W_h):
    g, f, i, o = np.split(gates_t, 4, axis=1)
    s = np.tanh(c_t)
    g_c = g_h * o * (1 - s**2) + g_c_later * f
    d_f, d_i = g_c * c_prev * f * (1 - f), g_c * g * i * (1 - i)
    delta = np.hstack([g_c * i * (1 - g**2), d_f, d_i, g_h * s * o * (1 - o)])
    return delta, delta @ W_h, g_c * f
