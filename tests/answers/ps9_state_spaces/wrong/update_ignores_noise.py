"""The gain inverts what C does."""

# replaces: answer_update
# fails: update, evidence
# message: R is missing in S

import math

import numpy as np


def update(m_minus, P_minus, x_t, C, R):
    S = C @ P_minus @ C.T
    K = P_minus @ C.T @ np.linalg.pinv(S)
    off = x_t - C @ m_minus
    log_det = np.log(np.abs(np.linalg.det(S)) + 1e-300)
    square = off @ np.linalg.pinv(S) @ off
    log_p = -0.5 * (square + log_det + len(x_t) * math.log(2 * math.pi))
    return m_minus + K @ off, P_minus - K @ S @ K.T, log_p
