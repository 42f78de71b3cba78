"""A gap is a look with a noise of a million."""

# replaces: answer_gaps
# fails: gaps
# message: not even a noisy one

import numpy as np


def filter_with_gaps(x, A, C, Q, R, m_1, P_1):
    rows = []
    m_minus, P_minus = m_1, P_1
    for x_t in x:
        gap = np.isnan(x_t).any()
        y = np.where(gap, 0.0, x_t) if not gap else np.zeros(len(x_t))
        R_t = R if not gap else 1e6 * np.eye(len(R))
        S = C @ P_minus @ C.T + R_t
        K = P_minus @ C.T @ np.linalg.inv(S)
        v = y - C @ m_minus
        m, P = m_minus + K @ v, P_minus - K @ S @ K.T
        rows.append(
            (
                m,
                P,
                0.0
                if gap
                else -0.5
                * (v @ np.linalg.solve(S, v) + np.linalg.slogdet(2 * np.pi * S)[1]),
            )
        )
        m_minus, P_minus = A @ m, A @ P @ A.T + Q
    return tuple(np.array(c) for c in zip(*rows, strict=False))
