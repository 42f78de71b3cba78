"""Nothing seen, nothing done."""

# replaces: answer_gaps
# fails: gaps
# message: the state moves on while nobody looks

import math

import numpy as np


def correct(m, P, x_t, C, R):
    S = C @ P @ C.T + R
    K = np.linalg.solve(S, C @ P).T
    off = x_t - C @ m
    log_p = off @ np.linalg.solve(S, off) + np.linalg.slogdet(2 * math.pi * S)[1]
    return m + K @ off, P - K @ S @ K.T, -0.5 * log_p


def filter_with_gaps(x, A, C, Q, R, m_1, P_1):
    m_minus, P_minus, m, P, rows = m_1, P_1, m_1, P_1, []
    for x_t in x:
        log_p = 0.0
        if not np.isnan(x_t).any():
            m, P, log_p = correct(m_minus, P_minus, x_t, C, R)
            m_minus, P_minus = A @ m, A @ P @ A.T + Q
        rows.append((m, P, log_p))
    return tuple(np.array(column) for column in zip(*rows, strict=True))
