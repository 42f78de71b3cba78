"""At a gap the state shows nothing: C is 0 there."""

# replaces: answer_gaps

import math

import numpy as np


def filter_with_gaps(x, A, C, Q, R, m_1, P_1):
    m, P, rows = m_1, P_1, []
    for t, x_t in enumerate(x):
        if t > 0:
            m, P = A @ m, A @ P @ A.T + Q
        gap = np.isnan(x_t)
        shows = np.where(gap[:, None], 0.0, C)
        off = np.nan_to_num(x_t - C @ m)
        S = shows @ P @ shows.T + R
        K = np.linalg.solve(S, shows @ P).T
        m, P = m + K @ off, P - K @ S @ K.T
        log_p = off @ np.linalg.solve(S, off) + np.linalg.slogdet(2 * math.pi * S)[1]
        rows.append((m, P, 0.0 if gap.all() else -0.5 * log_p))
    return [list(column) for column in zip(*rows, strict=True)]
