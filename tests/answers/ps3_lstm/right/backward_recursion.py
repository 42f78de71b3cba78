"""A sequence is all but its last step, followed by the last step."""

# replaces: answer_backward

import numpy as np


def lstm_backward(x, gates, h, c, direct, W_x, W_h, dc_T=None):
    zero = np.zeros_like(c[:, 0])

    def walk(t, g_h, g_c):
        if t == 0:
            return [], g_h, g_c
        g, f, i, o = np.split(gates[:, t - 1], 4, axis=1)
        s, g_h = np.tanh(c[:, t]), g_h + direct[:, t - 1]
        g_c = g_c + g_h * o * (1 - s**2)
        d_f, d_i = g_c * c[:, t - 1] * f * (1 - f), g_c * g * i * (1 - i)
        delta = np.hstack([g_c * i * (1 - g**2), d_f, d_i, g_h * s * o * (1 - o)])
        earlier, *start = walk(t - 1, delta @ W_h, g_c * f)
        return [*earlier, delta], *start

    deltas, h_0, c_0 = walk(x.shape[1], zero, zero if dc_T is None else dc_T)
    steps = list(enumerate(deltas))
    return {
        "x": np.stack([delta @ W_x for delta in deltas], axis=1),
        "W_x": sum(delta.T @ x[:, t] for t, delta in steps),
        "W_h": sum(delta.T @ h[:, t] for t, delta in steps),
        "b_h": sum(deltas).sum(axis=0),
        "h_0": h_0,
        "c_0": c_0,
    }
