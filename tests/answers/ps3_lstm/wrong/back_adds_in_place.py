"""+= on the array that was handed in."""

# replaces: answer_step_back
# fails: step_back
# message: argument number 5 was changed in place

import numpy as np


def lstm_step_back(gates_t, c_prev, c_t, g_h, g_c_later, W_h):
    g, f, i, o = np.split(gates_t, 4, axis=1)
    s, g_c = np.tanh(c_t), g_c_later
    g_c += g_h * o * (1 - s**2)
    d_f, d_i = g_c * c_prev * f * (1 - f), g_c * g * i * (1 - i)
    delta = np.hstack([g_c * i * (1 - g**2), d_f, d_i, g_h * s * o * (1 - o)])
    return delta, delta @ W_h, g_c * f
