"""The divergence of the prior from q."""

# replaces: answer_elbo
# fails: elbo
# message: the other way round

import numpy as np


def elbo(x, C, R, m, P, mu, Sigma):
    off, d = x - C @ mu, mu - m
    inv, det = np.linalg.inv, np.linalg.slogdet
    fit = off @ inv(R) @ off + np.trace(inv(R) @ C @ Sigma @ C.T)
    fit += det(R)[1] + len(x) * np.log(2 * np.pi)
    kl = np.trace(inv(Sigma) @ P) + d @ inv(Sigma) @ d - len(m)
    kl += det(Sigma)[1] - det(P)[1]
    return -fit / 2 - kl / 2
