"""A determinant as the product of Cholesky's diagonal."""

# replaces: answer_gap
# fails: gap
# message: not finite

import numpy as np


def gap(x, C, R, m, P, mu, Sigma):
    L = np.linalg.inv(P) + C.T @ np.linalg.inv(R) @ C
    mean = np.linalg.solve(L, np.linalg.inv(P) @ m + C.T @ np.linalg.inv(R) @ x)
    u = mu - mean

    def ld(M):
        return 2 * np.log(np.prod(np.diag(np.linalg.cholesky(M))))

    return 0.5 * (np.trace(L @ Sigma) + u @ L @ u - len(m) - ld(L) - ld(Sigma))
