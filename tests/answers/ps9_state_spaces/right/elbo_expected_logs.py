"""Entropy and expected logarithm of the joint."""

# replaces: answer_elbo

import numpy as np


def expected_log_normal(off, spread, cov):
    """E log N(off; 0, cov) where off has that mean and the covariance spread."""
    inner = np.linalg.inv(cov) @ (np.outer(off, off) + spread)
    return -0.5 * (np.trace(inner) + np.linalg.slogdet(2 * np.pi * cov)[1])


def elbo(x, C, R, m, P, mu, Sigma):
    joint = expected_log_normal(x - C @ mu, C @ Sigma @ C.T, R)
    joint += expected_log_normal(mu - m, Sigma, P)
    return joint + 0.5 * np.linalg.slogdet(2 * np.pi * np.e * Sigma)[1]
