"""Gelfand's formula: the root of the norm of a high power."""

# replaces: answer_radius

import numpy as np


def scale_to_radius(W, rho):
    P, log_size = W, 0.0
    for _ in range(30):
        size = np.linalg.norm(P)
        P, log_size = (P / size) @ (P / size), 2 * (log_size + np.log(size))
    return W * rho / np.exp((log_size + np.log(np.linalg.norm(P))) / 2**30)
