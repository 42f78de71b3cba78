"""Rows without a look are dropped."""

# replaces: answer_gaps
# fails: gaps
# message: gaps included

import math

import numpy as np


def correct(m, P, x_t, C, R):
    S = C @ P @ C.T + R
    K = np.linalg.solve(S, C @ P).T
    off = x_t - C @ m
    log_p = off @ np.linalg.solve(S, off) + np.linalg.slogdet(2 * math.pi * S)[1]
    return m + K @ off, P - K @ S @ K.T, -0.5 * log_p


def filter_with_gaps(x, A, C, Q, R, m_1, P_1):
    m, P, rows = m_1, P_1, []
    for t, x_t in enumerate(x):
        if t > 0:
            m, P = A @ m, A @ P @ A.T + Q
        log_p = 0.0
        if not np.isnan(x_t).any():
            m, P, log_p = correct(m, P, x_t, C, R)
            rows.append((m, P, log_p))
    return tuple(np.array(column) for column in zip(*rows, strict=True))
