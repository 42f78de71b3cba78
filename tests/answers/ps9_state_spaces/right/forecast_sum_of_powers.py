"""The sum written out."""

# replaces: answer_forecast

import numpy as np


def forecast(m, P, A, C, Q, R, k):
    powers = [np.eye(len(m))]
    for _ in range(k):
        powers.append(A @ powers[-1])
    cov = powers[k] @ P @ powers[k].T + sum(B @ Q @ B.T for B in powers[:k])
    return list(C @ powers[k] @ m), C @ cov @ C.T + R
