"""After nan_to_num a gap is a row of zeros."""

# replaces: answer_gaps
# fails: gaps
# message: a row of zeros is a look

import math

import numpy as np


def filter_with_gaps(x, A, C, Q, R, m_1, P_1):
    m, P, rows = m_1, P_1, []
    for t, x_t in enumerate(np.nan_to_num(x)):
        if t > 0:
            m, P = A @ m, A @ P @ A.T + Q
        log_p = 0.0
        if x_t.any():
            S, off = C @ P @ C.T + R, x_t - C @ m
            K = np.linalg.solve(S, C @ P).T
            m, P = m + K @ off, P - K @ S @ K.T
            log_p = off @ np.linalg.solve(S, off)
            log_p = -0.5 * (log_p + np.linalg.slogdet(2 * math.pi * S)[1])
        rows.append((m, P, log_p))
    return tuple(np.array(column) for column in zip(*rows, strict=True))
