"""The weight gradients by carrying dh_t/dW forwards, delta by the recursion."""

# replaces: answer_bptt

import numpy as np


def bptt(x, states, d_o, W_h, W_y):
    B, T, _ = x.shape
    d = len(W_h)
    eye, g = np.eye(d), d_o @ W_y
    fed = np.concatenate([states[:, :-1], x, np.ones((B, T, 1))], axis=2)
    total = np.zeros((d, fed.shape[2]))
    carried = np.zeros((B, d, d, fed.shape[2]))  # d h_t / d [W_h W_x b_h]
    for t in range(T):
        direct = np.einsum("ki,bj->bkij", eye, fed[:, t])
        carried = direct + np.einsum("kl,blij->bkij", W_h, carried)
        carried *= (1 - states[:, t + 1] ** 2)[:, :, None, None]
        total += np.einsum("bk,bkij->ij", g[:, t], carried)
    delta, after = [], np.zeros((B, d))
    for t in range(T - 1, -1, -1):
        after = (g[:, t] + after @ W_h) * (1 - states[:, t + 1] ** 2)
        delta.insert(0, after)
    return np.stack(delta, axis=1), total[:, :d], total[:, d:-1], total[:, -1]
