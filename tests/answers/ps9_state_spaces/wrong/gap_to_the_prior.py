"""The divergence in the bound is the gap."""

# replaces: answer_gap
# fails: gap
# message: the gap is that to the posterior

import numpy as np


def gap(x, C, R, m, P, mu, Sigma):
    inv, d = np.linalg.inv(P), mu - m
    kl = np.trace(inv @ Sigma) + d @ inv @ d - len(m)
    return 0.5 * (kl + np.linalg.slogdet(P)[1] - np.linalg.slogdet(Sigma)[1])
