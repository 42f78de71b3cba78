"""The radius from a high power instead of eigenvalues."""

# replaces: answer_forecast

import numpy as np


def forecast(W_h, activation):
    sigma = np.linalg.svd(W_h)[1].max()
    if activation == "identity":
        P, log_size = W_h, 0.0
        for _ in range(20):  # the power 2^20, its size kept as a logarithm
            size = np.linalg.norm(P)
            P, log_size = (P / size) @ (P / size), 2 * (log_size + np.log(size))
        growth = log_size + np.log(np.linalg.norm(P))
        return "explodes" if growth > 0 else "vanishes"
    if activation == "sigmoid":
        sigma = sigma / 4
    return ("open", "vanishes")[int(sigma < 1)]
