"""Blocks as an axis of their own, einsum, single precision, results in a list."""

# replaces: answer_step

import numpy as np


def lstm_step(x_t, h_prev, c_prev, W_x, W_h, b_h):
    x, h, c, U, W, b = (
        v.astype(np.float32) for v in (x_t, h_prev, c_prev, W_x, W_h, b_h)
    )
    B, d = h.shape
    U, W, b = U.reshape(4, d, -1), W.reshape(4, d, d), b.reshape(4, d)
    a = np.einsum("kij,bj->kbi", U, x) + np.einsum("kij,bj->kbi", W, h) + b[:, None]
    values = np.where(
        np.arange(4)[:, None, None] == 0, np.tanh(a), 1 / (1 + np.exp(-a))
    )
    c = values[1] * c + values[2] * values[0]
    return [values.transpose(1, 0, 2).reshape(B, -1), values[3] * np.tanh(c), c]
