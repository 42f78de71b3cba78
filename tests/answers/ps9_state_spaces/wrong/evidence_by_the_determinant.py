"""The logarithm of the determinant is np.log(np.linalg.det(S))."""

# replaces: answer_update
# fails: evidence
# message: not finite

import math

import numpy as np


def update(m_minus, P_minus, x_t, C, R):
    S = C @ P_minus @ C.T + R
    K = np.linalg.solve(S, C @ P_minus).T
    off = x_t - C @ m_minus
    with np.errstate(divide="ignore"):
        log_det = np.log(np.linalg.det(S))
    log_p = -0.5 * (off @ np.linalg.solve(S, off) + log_det)
    log_p -= 0.5 * len(x_t) * math.log(2 * math.pi)
    return m_minus + K @ off, P_minus - K @ S @ K.T, log_p
