"""Bound minus evidence."""

# replaces: answer_gap
# fails: gap
# message: the sign is wrong

import numpy as np


def gap(x, C, R, m, P, mu, Sigma):
    inv, det = np.linalg.inv, np.linalg.slogdet
    precision = inv(P) + C.T @ inv(R) @ C
    mean = np.linalg.solve(precision, inv(P) @ m + C.T @ inv(R) @ x)
    d = mu - mean
    kl = np.trace(precision @ Sigma) + d @ precision @ d - len(m)
    return -0.5 * (kl - det(precision)[1] - det(Sigma)[1])
