"""dc_T takes the place of g^c_{T+1}, and so it is multiplied by a forget gate."""

# replaces: answer_backward
# fails: last_cell
# message: g_c_later starts at dc_T

import numpy as np


def lstm_backward(x, gates, h, c, direct, W_x, W_h, dc_T=None):
    B, T, d_h = direct.shape
    grads = {"x": np.zeros_like(x), "W_x": 0, "W_h": 0, "b_h": 0, "delta": []}
    g_h, g_c = np.zeros((2, B, d_h))
    if dc_T is not None:
        g_c = dc_T * gates[:, -1, d_h : 2 * d_h]
    for t in range(T - 1, -1, -1):
        c_tilde, f, i, o = gates[:, t].reshape(B, 4, d_h).swapaxes(0, 1)
        g_h = g_h + direct[:, t]
        tanh_c = np.tanh(c[:, t + 1])
        g_c = g_c + g_h * o * (1 - tanh_c**2)
        blocks = [
            g_c * i * (1 - c_tilde**2),
            g_c * c[:, t] * f * (1 - f),
            g_c * c_tilde * i * (1 - i),
            g_h * tanh_c * o * (1 - o),
        ]
        delta = np.hstack(blocks)
        grads["x"][:, t] = delta @ W_x
        grads["W_x"] = grads["W_x"] + delta.T @ x[:, t]
        grads["W_h"] = grads["W_h"] + delta.T @ h[:, t]
        grads["b_h"] = grads["b_h"] + delta.sum(axis=0)
        grads["delta"].append(delta)
        g_h, g_c = delta @ W_h, g_c * f
    return grads | {"h_0": g_h, "c_0": g_c}
