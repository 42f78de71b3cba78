"""The evidence minus the divergence to the posterior."""

# replaces: answer_elbo

import numpy as np


def elbo(x, C, R, m, P, mu, Sigma):
    S = C @ P @ C.T + R
    v = x - C @ m
    log_p = -0.5 * (v @ np.linalg.solve(S, v) + np.linalg.slogdet(2 * np.pi * S)[1])
    K = np.linalg.solve(S, C @ P).T
    mean = m + K @ v
    L = np.linalg.inv(P) + C.T @ np.linalg.inv(R) @ C
    u = mu - mean
    kl = 0.5 * (
        np.sum(L * Sigma)
        + u @ L @ u
        - len(m)
        - np.linalg.slogdet(L)[1]
        - np.linalg.slogdet(Sigma)[1]
    )
    return log_p - kl
