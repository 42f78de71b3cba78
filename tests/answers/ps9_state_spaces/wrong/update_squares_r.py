"""R holds standard deviations."""

# replaces: answer_update
# fails: update, evidence
# message: R is squared

import math

import numpy as np


def update(m_minus, P_minus, x_t, C, R):
    S = C @ P_minus @ C.T + R @ R
    K = P_minus @ C.T @ np.linalg.inv(S)
    off = x_t - C @ m_minus
    log_p = -0.5 * (off @ np.linalg.inv(S) @ off + np.linalg.slogdet(S)[1])
    log_p -= 0.5 * len(x_t) * math.log(2 * math.pi)
    return m_minus + K @ off, P_minus - K @ S @ K.T, log_p
