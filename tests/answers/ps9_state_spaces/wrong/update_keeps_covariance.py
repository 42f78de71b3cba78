"""The look moves the mean."""

# replaces: answer_update
# fails: update
# message: has not changed

import math

import numpy as np


def update(m_minus, P_minus, x_t, C, R):
    S = C @ P_minus @ C.T + R
    off = x_t - C @ m_minus
    log_p = -0.5 * (off @ np.linalg.solve(S, off) + np.linalg.slogdet(S)[1])
    log_p -= 0.5 * len(x_t) * math.log(2 * math.pi)
    return m_minus + P_minus @ C.T @ np.linalg.solve(S, off), P_minus, log_p
