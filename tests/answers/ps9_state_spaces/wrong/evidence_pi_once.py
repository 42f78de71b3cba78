"""A density has one log 2 pi."""

# replaces: answer_update
# fails: evidence
# message: once for each number seen

import math

import numpy as np


def update(m_minus, P_minus, x_t, C, R):
    S = C @ P_minus @ C.T + R
    K = np.linalg.solve(S, C @ P_minus).T
    off = x_t - C @ m_minus
    log_p = -0.5 * (off @ np.linalg.solve(S, off) + np.linalg.slogdet(S)[1])
    log_p -= 0.5 * math.log(2 * math.pi)
    return m_minus + K @ off, P_minus - K @ S @ K.T, log_p
