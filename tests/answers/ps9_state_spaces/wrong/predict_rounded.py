"""Eight digits are enough."""

# replaces: answer_predict
# fails: predict
# message: add nothing to them

import numpy as np


def predict(m, P, A, Q):
    P_minus = A @ P @ A.T + Q
    P_minus[np.abs(P_minus) < 1e-8] = 0
    return A @ m, np.round(P_minus, 8)
