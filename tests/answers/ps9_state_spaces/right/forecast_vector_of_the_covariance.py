"""The covariance as one long vector."""

# replaces: answer_forecast

import numpy as np


def forecast(m, P, A, C, Q, R, k):
    d = len(m)
    big = np.kron(A, A)
    vec = P.ravel()
    for _ in range(k):
        vec = big @ vec + Q.ravel()
        m = A @ m
    return C @ m, C @ vec.reshape(d, d) @ C.T + R
