"""A pseudo-inverse that takes small eigenvalues for zero."""

# replaces: answer_smoother
# fails: smoother
# message: is off by

import numpy as np


def smoother(m_minus, P_minus, m, P, A):
    m_s, P_s = [m[-1]], [P[-1]]
    for t in range(len(m) - 2, -1, -1):
        J = P[t] @ A.T @ np.linalg.pinv(P_minus[t + 1], rcond=1e-4)
        m_s.insert(0, m[t] + J @ (m_s[0] - m_minus[t + 1]))
        P_s.insert(0, P[t] + J @ (P_s[0] - P_minus[t + 1]) @ J.T)
    return np.array(m_s), np.array(P_s)
