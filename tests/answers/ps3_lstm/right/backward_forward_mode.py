"""No walk back: derivatives of both states by all inputs are carried forwards."""

# replaces: answer_backward

import numpy as np


def lstm_backward(x, gates, h, c, direct, W_x, W_h, dc_T=None):
    B, T, d_x = x.shape
    d = W_h.shape[1]
    n = 4 * d * (d_x + d + 1)  # the weights, then x of all steps, then h_0 and c_0
    size = n + T * d_x + 2 * d
    total = np.zeros((B, size))
    for b in range(B):
        dh, dc = np.zeros((2, d, size))
        dh[:, -2 * d : -d] = dc[:, -d:] = np.eye(d)
        for t in range(T):
            fed = np.concatenate([x[b, t], h[b, t], [1.0]])
            da = W_h @ dh
            da[:, :n] += np.kron(np.eye(4 * d), fed)
            da[:, n + t * d_x : n + (t + 1) * d_x] += W_x
            g, f, i, o = (v[:, None] for v in np.split(gates[b, t], 4))
            d_g, d_f, d_i, d_o = np.split(da, 4)
            s = np.tanh(c[b, t + 1])[:, None]
            dc = f * dc + c[b, t][:, None] * f * (1 - f) * d_f
            dc = dc + g * i * (1 - i) * d_i + i * (1 - g**2) * d_g
            dh = o * (1 - s**2) * dc + s * o * (1 - o) * d_o
            total[b] += direct[b, t] @ dh
        if dc_T is not None:
            total[b] += dc_T[b] @ dc
    W = total[:, :n].sum(axis=0).reshape(4 * d, -1)
    grads = {"W_x": W[:, :d_x], "W_h": W[:, d_x:-1], "b_h": W[:, -1]}
    grads["x"] = total[:, n : -2 * d].reshape(x.shape)
    return grads | {"h_0": total[:, -2 * d : -d], "c_0": total[:, -d:]}
