"""One carry is enough, as in the simple RNN: the one of h."""

# replaces: answer_backward
# fails: backward=0/18, last_cell
# message: the bridge g^c_{t+1} f_{t+1} is missing

import numpy as np


def through(gates_t, c_prev, c_t, g_h, g_c_later, W_h):
    g, f, i, o = np.split(gates_t, 4, axis=1)
    s = np.tanh(c_t)
    g_c = g_h * o * (1 - s**2) + g_c_later
    d_f, d_i = g_c * c_prev * f * (1 - f), g_c * g * i * (1 - i)
    delta = np.hstack([g_c * i * (1 - g**2), d_f, d_i, g_h * s * o * (1 - o)])
    return delta, delta @ W_h, g_c * f


def collect(delta, x, h, W_x):
    T = x.shape[1]
    return {
        "x": delta @ W_x,
        "W_x": np.einsum("bti,btj->ij", delta, x),
        "W_h": np.einsum("bti,btj->ij", delta, h[:, :T]),
        "b_h": delta.sum(axis=(0, 1)),
    }


def lstm_backward(x, gates, h, c, direct, W_x, W_h, dc_T=None):
    T, g_h = x.shape[1], 0.0
    g_c = np.zeros_like(c[:, 0]) if dc_T is None else dc_T
    delta = np.zeros_like(gates)
    for t in reversed(range(T)):
        delta[:, t], g_h, out = through(
            gates[:, t], c[:, t], c[:, t + 1], direct[:, t] + g_h, g_c, W_h
        )
        g_c = 0.0 * out
    return {"c_0": out} | collect(delta, x, h, W_x) | {"h_0": g_h}
