"""Every step is predict, then update."""

# replaces: answer_filter
# fails: filter
# message: do not predict there

import math

import numpy as np


def correct(m, P, x_t, C, R):
    S = C @ P @ C.T + R
    K = np.linalg.solve(S, C @ P).T
    off = x_t - C @ m
    log_p = off @ np.linalg.solve(S, off) + np.linalg.slogdet(2 * math.pi * S)[1]
    return m + K @ off, P - K @ S @ K.T, -0.5 * log_p


def kalman_filter(x, A, C, Q, R, m_1, P_1):
    m, P, rows = m_1, P_1, []
    for x_t in x:
        m_minus, P_minus = A @ m, A @ P @ A.T + Q
        m, P, log_p = correct(m_minus, P_minus, x_t, C, R)
        rows.append((m_minus, P_minus, m, P, log_p))
    return tuple(np.array(column) for column in zip(*rows, strict=True))
