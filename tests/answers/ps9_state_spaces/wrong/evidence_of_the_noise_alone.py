"""Given the best guess of the state, only the noise is left."""

# replaces: answer_update
# fails: evidence
# message: the state is unknown, too

import math

import numpy as np


def update(m_minus, P_minus, x_t, C, R):
    S = C @ P_minus @ C.T + R
    K = np.linalg.solve(S, C @ P_minus).T
    off = x_t - C @ m_minus
    log_p = -0.5 * (off @ np.linalg.solve(R, off) + np.linalg.slogdet(R)[1])
    log_p -= 0.5 * len(x_t) * math.log(2 * math.pi)
    return m_minus + K @ off, P_minus - K @ S @ K.T, log_p
