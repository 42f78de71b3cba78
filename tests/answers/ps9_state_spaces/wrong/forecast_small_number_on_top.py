"""A small number on the diagonal at every step."""

# replaces: answer_forecast
# fails: forecast
# message: add nothing to them

import numpy as np


def forecast(m, P, A, C, Q, R, k):
    for _ in range(k):
        m, P = A @ m, A @ P @ A.T + Q
        P = P + 1e-6 * np.eye(len(P))
    return C @ m, C @ P @ C.T + R
