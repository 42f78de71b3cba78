"""The form that stays symmetric, and a triangular root."""

# replaces: answer_update

import numpy as np


def update(m_minus, P_minus, x_t, C, R):
    root = np.linalg.cholesky(C @ P_minus @ C.T + R)
    half = np.linalg.solve(root, C @ P_minus)
    K = np.linalg.solve(root.T, half).T
    white = np.linalg.solve(root, x_t - C @ m_minus)
    rest = np.eye(len(m_minus)) - K @ C
    log_p = -0.5 * white @ white - np.log(np.diag(root)).sum()
    log_p = log_p - 0.5 * len(x_t) * np.log(2 * np.pi)
    return [m_minus + half.T @ white, rest @ P_minus @ rest.T + K @ R @ K.T, log_p]
