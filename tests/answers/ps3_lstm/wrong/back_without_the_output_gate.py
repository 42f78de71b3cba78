"""Only f, i and the candidate lead back to h_{t-1}."""

# replaces: answer_step_back
# fails: step_back=6/9
# message: h_{t-1} is used by the output gate, too

import numpy as np


def lstm_step_back(gates_t, c_prev, c_t, g_h, g_c_later, W_h):
    g, f, i, o = np.split(gates_t, 4, axis=1)
    s, d_h = np.tanh(c_t), c_t.shape[1]
    g_c = g_h * o * (1 - s**2) + g_c_later
    d_f, d_i = g_c * c_prev * f * (1 - f), g_c * g * i * (1 - i)
    delta = np.hstack([g_c * i * (1 - g**2), d_f, d_i, g_h * s * o * (1 - o)])
    return delta, delta[:, : 3 * d_h] @ W_h[: 3 * d_h], g_c * f
