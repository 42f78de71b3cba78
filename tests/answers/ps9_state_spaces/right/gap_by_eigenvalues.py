"""The divergence by eigenvalues."""

# replaces: answer_gap

import numpy as np


def gap(x, C, R, m, P, mu, Sigma):
    S = C @ P @ C.T + R
    K = np.linalg.solve(S, C @ P).T
    mean, cov = m + K @ (x - C @ m), (np.eye(len(m)) - K @ C) @ P
    w = np.linalg.eigvals(np.linalg.solve(cov, Sigma)).real
    u = mu - mean
    return max(
        0.0, 0.5 * float(np.sum(w - 1 - np.log(w)) + u @ np.linalg.solve(cov, u))
    )
