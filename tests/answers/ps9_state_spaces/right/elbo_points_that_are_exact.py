"""The mean of log p(x, z) over points that are exact for squares."""

# replaces: answer_elbo

import math

import numpy as np


def elbo(x, C, R, m, P, mu, Sigma):
    def logn(v, S):
        L = np.linalg.cholesky(S)
        w = np.linalg.solve(L, v)
        return (
            -0.5 * w @ w
            - np.log(np.diag(L)).sum()
            - 0.5 * len(v) * math.log(2 * math.pi)
        )

    d = len(mu)
    root = math.sqrt(d) * np.linalg.cholesky(Sigma)
    total = 0.0
    for i in range(d):
        for s in (-1, 1):
            z = mu + s * root[:, i]
            total += logn(x - C @ z, R) + logn(z - m, P)
    entropy = 0.5 * (d * (1 + math.log(2 * math.pi)) + np.linalg.slogdet(Sigma)[1])
    return np.float64(total / (2 * d) + entropy)
