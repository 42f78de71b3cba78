"""Single precision is enough."""

# replaces: answer_gap
# fails: gap
# message: loses its digits

import numpy as np


def gap(x, C, R, m, P, mu, Sigma):
    x, C, R, m, P, mu, Sigma = (
        np.asarray(a, np.float32) for a in (x, C, R, m, P, mu, Sigma)
    )
    S = C @ P @ C.T + R
    K = np.linalg.solve(S, C @ P).T
    mean, cov = m + K @ (x - C @ m), P - K @ S @ K.T
    u = mu - mean
    return 0.5 * (
        np.trace(np.linalg.solve(cov, Sigma))
        + u @ np.linalg.solve(cov, u)
        - len(m)
        + np.linalg.slogdet(cov)[1]
        - np.linalg.slogdet(Sigma)[1]
    )
