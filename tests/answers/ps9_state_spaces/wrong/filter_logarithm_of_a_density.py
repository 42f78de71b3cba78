"""The density first, then its logarithm."""

# replaces: answer_filter
# fails: filter
# message: not finite

import numpy as np


def kalman_filter(x, A, C, Q, R, m_1, P_1):
    rows = []
    m_minus, P_minus = m_1, P_1
    for t in range(len(x)):
        S = C @ P_minus @ C.T + R
        K = P_minus @ C.T @ np.linalg.inv(S)
        v = x[t] - C @ m_minus
        m = m_minus + K @ v
        P = P_minus - K @ C @ P_minus
        rows.append(
            (
                m_minus,
                P_minus,
                m,
                P,
                np.log(
                    np.exp(-0.5 * v @ np.linalg.solve(S, v))
                    / np.sqrt(np.linalg.det(2 * np.pi * S))
                ),
            )
        )
        m_minus, P_minus = A @ m, A @ P @ A.T + Q
    return tuple(np.array(c) for c in zip(*rows, strict=False))
