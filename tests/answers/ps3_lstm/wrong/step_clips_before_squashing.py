"""Beyond 6 the sigmoid is 0 or 1 anyway, and nothing overflows."""

# replaces: answer_step
# fails: step
# message: large inputs open and shut the gates

import numpy as np


def lstm_step(x_t, h_prev, c_prev, W_x, W_h, b_h):
    a = np.clip(x_t @ W_x.T + h_prev @ W_h.T + b_h, -6, 6)
    a_c, *gates = np.split(a, 4, axis=1)
    f, i, o = (1 / (1 + np.exp(-gate)) for gate in gates)
    c_t = f * c_prev + i * np.tanh(a_c)
    return np.hstack([np.tanh(a_c), f, i, o]), o * np.tanh(c_t), c_t
