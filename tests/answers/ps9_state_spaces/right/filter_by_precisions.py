"""Precisions add up."""

# replaces: answer_filter

import numpy as np


def kalman_filter(x, A, C, Q, R, m_1, P_1):
    T, d = len(x), len(m_1)
    mm, PP, m, P, lp = (
        np.empty((T, d)),
        np.empty((T, d, d)),
        np.empty((T, d)),
        np.empty((T, d, d)),
        np.empty(T),
    )
    Ri = np.linalg.inv(R)
    mm[0], PP[0] = m_1, P_1
    for t in range(T):
        if t:
            mm[t], PP[t] = A @ m[t - 1], A @ P[t - 1] @ A.T + Q
        Lam = np.linalg.inv(PP[t])
        P[t] = np.linalg.inv(Lam + C.T @ Ri @ C)
        m[t] = P[t] @ (Lam @ mm[t] + C.T @ Ri @ x[t])
        S = C @ PP[t] @ C.T + R
        v = x[t] - C @ mm[t]
        lp[t] = -0.5 * (v @ np.linalg.inv(S) @ v + np.linalg.slogdet(2 * np.pi * S)[1])
    return mm, PP, m, P, lp
