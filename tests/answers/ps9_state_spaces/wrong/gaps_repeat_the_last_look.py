"""The last value is the best guess."""

# replaces: answer_gaps
# fails: gaps
# message: at a gap, predict and do not correct

import math

import numpy as np


def correct(m, P, x_t, C, R):
    S = C @ P @ C.T + R
    K = np.linalg.solve(S, C @ P).T
    off = x_t - C @ m
    log_p = off @ np.linalg.solve(S, off) + np.linalg.slogdet(2 * math.pi * S)[1]
    return m + K @ off, P - K @ S @ K.T, -0.5 * log_p


def filter_with_gaps(x, A, C, Q, R, m_1, P_1):
    m, P, rows, last = m_1, P_1, [], C @ m_1
    for t, x_t in enumerate(x):
        if t > 0:
            m, P = A @ m, A @ P @ A.T + Q
        log_p = 0.0
        last = last if np.isnan(x_t).any() else x_t
        m, P, log_p = correct(m, P, last, C, R)
        rows.append((m, P, log_p))
    return tuple(np.array(column) for column in zip(*rows, strict=True))
