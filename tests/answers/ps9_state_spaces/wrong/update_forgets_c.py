"""K times P_minus is what the look takes away."""

# replaces: answer_update
# fails: update
# message: S is missing between K

import math

import numpy as np


def update(m_minus, P_minus, x_t, C, R):
    S = C @ P_minus @ C.T + R
    K = P_minus @ C.T @ np.linalg.inv(S)
    off = x_t - C @ m_minus
    log_p = -0.5 * (off @ np.linalg.solve(S, off) + np.linalg.slogdet(S)[1])
    log_p -= 0.5 * len(x_t) * math.log(2 * math.pi)
    taken = K @ P_minus if len(C) == len(C.T) else K @ K.T
    return m_minus + K @ off, P_minus - taken, log_p
