"""A logarithm of a probability is never above zero."""

# replaces: answer_elbo
# fails: elbo
# message: a density may be larger than 1

import numpy as np


def elbo(x, C, R, m, P, mu, Sigma):
    Ri, Pi = np.linalg.inv(R), np.linalg.inv(P)
    v, u = x - C @ mu, mu - m
    fit = -0.5 * (
        v @ Ri @ v
        + np.trace(Ri @ C @ Sigma @ C.T)
        + np.linalg.slogdet(2 * np.pi * R)[1]
    )
    kl = 0.5 * (
        np.trace(Pi @ Sigma)
        + u @ Pi @ u
        - len(m)
        + np.linalg.slogdet(P)[1]
        - np.linalg.slogdet(Sigma)[1]
    )
    return min(fit - kl, 0.0)
