"""The look is made white, then its numbers come one by one."""

# replaces: answer_update

import math

import numpy as np


def update(m_minus, P_minus, x_t, C, R):
    L = np.linalg.cholesky(R)
    y, D = np.linalg.solve(L, x_t), np.linalg.solve(L, C)
    m, P = m_minus.copy(), P_minus.copy()
    total = -np.log(np.diag(L)).sum()
    for y_i, c in zip(y, D, strict=False):
        s = c @ P @ c + 1
        v = y_i - c @ m
        k = P @ c / s
        m = m + k * v
        P = P - np.outer(k, k) * s
        total -= 0.5 * (v * v / s + math.log(2 * math.pi * s))
    return m, P, total
