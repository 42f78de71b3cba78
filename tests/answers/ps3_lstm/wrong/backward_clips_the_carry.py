"""Gradients explode, so the one that is carried along is clipped."""

# replaces: answer_backward
# fails: backward
# message: is off by up to

import numpy as np


def lstm_backward(x, gates, h, c, direct, W_x, W_h, dc_T=None):
    g_h_later = np.zeros_like(h[:, 0])
    g_c_later = np.zeros_like(c[:, 0]) if dc_T is None else dc_T
    delta = np.zeros_like(gates)
    for t in range(x.shape[1], 0, -1):
        g_h, squashed = direct[:, t - 1] + g_h_later, np.tanh(c[:, t])
        c_tilde, f, i, o = np.split(gates[:, t - 1], 4, axis=1)
        g_c = g_h * o * (1 - squashed**2) + g_c_later
        blocks = (
            g_c * i * (1 - c_tilde**2),
            g_c * c[:, t - 1] * f * (1 - f),
            g_c * c_tilde * i * (1 - i),
            g_h * squashed * o * (1 - o),
        )
        delta[:, t - 1] = np.concatenate(blocks, axis=1)
        g_h_later = np.clip(delta[:, t - 1] @ W_h, -10, 10)
        g_c_later = np.clip(g_c * f, -10, 10)
    return {
        "x": delta @ W_x,
        "h_0": g_h_later,
        "c_0": g_c_later,
        "W_x": np.einsum("bti,btj->ij", delta, x),
        "W_h": np.einsum("bti,btj->ij", delta, h[:, :-1]),
        "b_h": delta.sum((0, 1)),
    }
