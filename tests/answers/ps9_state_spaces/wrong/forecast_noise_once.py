"""A to the power of k is one move."""

# replaces: answer_forecast
# fails: forecast
# message: not at the last one alone

import numpy as np


def forecast(m, P, A, C, Q, R, k):
    far = np.linalg.matrix_power(A, k)
    return C @ far @ m, C @ (far @ P @ far.T + Q) @ C.T + R
