"""A look at a gap has no rows."""

# replaces: answer_gaps

import math

import numpy as np


def filter_with_gaps(x, A, C, Q, R, m_1, P_1):
    rows = []
    m, P = m_1, P_1
    for t, x_t in enumerate(x):
        if t:
            m, P = A @ m, A @ P @ A.T + Q
        see = ~np.isnan(x_t)
        D, N = C[see], R[np.ix_(see, see)]
        S = D @ P @ D.T + N
        K = np.linalg.solve(S, D @ P).T
        v = x_t[see] - D @ m
        m, P = m + K @ v, P - K @ S @ K.T
        rows.append(
            (
                m,
                P,
                -0.5
                * (
                    v @ np.linalg.solve(S, v)
                    + np.linalg.slogdet(S)[1]
                    + see.sum() * math.log(2 * math.pi)
                ),
            )
        )
    return tuple(np.array(c) for c in zip(*rows, strict=False))
