"""Two terms."""

# replaces: answer_elbo
# fails: elbo
# message: subtracted, not added

import numpy as np


def elbo(x, C, R, m, P, mu, Sigma):
    off, d = x - C @ mu, mu - m
    inv, det = np.linalg.inv, np.linalg.slogdet
    fit = off @ inv(R) @ off + np.trace(inv(R) @ C @ Sigma @ C.T)
    fit += det(R)[1] + len(x) * np.log(2 * np.pi)
    kl = np.trace(inv(P) @ Sigma) + d @ inv(P) @ d - len(m)
    kl += det(P)[1] - det(Sigma)[1]
    return -fit / 2 + kl / 2
