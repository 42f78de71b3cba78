"""The reset gate scales the columns of the matrix, or its rows; float32."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_gru

import numpy as np


def gru(x_t, h_prev, W_x, W_h, b_h, b_inner, after):
    x, h, U, W, b = (v.astype(np.float32) for v in (x_t, h_prev, W_x, W_h, b_h))
    d = h.shape[1]
    z, r = np.split(sigmoid(x @ U[d:].T + h @ W[d:].T + b[d:]), 2, axis=1)
    scaled = (r[:, :, None] if after else r[:, None, :]) * W[:d]
    inner = np.einsum("bij,bj->bi", scaled, h) + r * b_inner
    return h * (1 - z) + z * np.tanh(x @ U[:d].T + b[:d] + inner)


def gru_step(x_t, h_prev, W_x, W_h, b_h):
    return gru(x_t, h_prev, W_x, W_h, b_h, 0.0, after=False)


# replaces: answer_gru_after
def gru_step_after(x_t, h_prev, W_x, W_h, b_h, b_inner):
    return gru(x_t, h_prev, W_x, W_h, b_h, b_inner, after=True)
