"""The bound is tight."""

# replaces: answer_elbo
# fails: elbo
# message: for any guess

import numpy as np


def elbo(x, C, R, m, P, mu, Sigma):
    S, off = C @ P @ C.T + R, x - C @ m
    return -0.5 * (off @ np.linalg.solve(S, off) + np.linalg.slogdet(2 * np.pi * S)[1])
