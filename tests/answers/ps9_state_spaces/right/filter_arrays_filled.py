"""Arrays made beforehand, filled step by step."""

# replaces: answer_filter

import math

import numpy as np


def correct(m, P, x_t, C, R):
    S = C @ P @ C.T + R
    K = np.linalg.solve(S, C @ P).T
    off = x_t - C @ m
    log_p = off @ np.linalg.solve(S, off) + np.linalg.slogdet(2 * math.pi * S)[1]
    return m + K @ off, P - K @ S @ K.T, -0.5 * log_p


def kalman_filter(x, A, C, Q, R, m_1, P_1):
    T, d = len(x), len(m_1)
    m_minus, m, log_p = np.zeros((T, d)), np.zeros((T, d)), np.zeros(T)
    P_minus, P = np.zeros((T, d, d)), np.zeros((T, d, d))
    for t in range(T):
        m_minus[t] = m_1 if t == 0 else A @ m[t - 1]
        P_minus[t] = P_1 if t == 0 else A @ P[t - 1] @ A.T + Q
        m[t], P[t], log_p[t] = correct(m_minus[t], P_minus[t], x[t], C, R)
    return m_minus, P_minus, m, P, log_p
