"""What counts is how far the means lie apart."""

# replaces: answer_gap
# fails: gap
# message: KL[q || p(z | x)]

import numpy as np


def gap(x, C, R, m, P, mu, Sigma):
    inv = np.linalg.inv
    precision = inv(P) + C.T @ inv(R) @ C
    mean = np.linalg.solve(precision, inv(P) @ m + C.T @ inv(R) @ x)
    d = mu - mean
    return 0.5 * (d @ precision @ d)
