"""A small number on the diagonal makes the inverse safe."""

# replaces: answer_filter
# fails: filter
# message: add nothing to them

import numpy as np


def kalman_filter(x, A, C, Q, R, m_1, P_1):
    rows = []
    m_minus, P_minus = m_1, P_1
    for t in range(len(x)):
        S = C @ P_minus @ C.T + R
        K = P_minus @ C.T @ np.linalg.inv(S + 1e-6 * np.eye(len(S)))
        v = x[t] - C @ m_minus
        m = m_minus + K @ v
        P = P_minus - K @ C @ P_minus
        rows.append(
            (
                m_minus,
                P_minus,
                m,
                P,
                -0.5
                * (v @ np.linalg.solve(S, v) + np.linalg.slogdet(2 * np.pi * S)[1]),
            )
        )
        m_minus, P_minus = A @ m, A @ P @ A.T + Q
    return tuple(np.array(c) for c in zip(*rows, strict=False))
