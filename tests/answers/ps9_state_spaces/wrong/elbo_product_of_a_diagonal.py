"""A determinant as the product of Cholesky's diagonal."""

# replaces: answer_elbo
# fails: elbo
# message: not finite

import numpy as np


def elbo(x, C, R, m, P, mu, Sigma):
    Ri, Pi = np.linalg.inv(R), np.linalg.inv(P)
    v, u = x - C @ mu, mu - m

    def ld(M):
        return 2 * np.log(np.prod(np.diag(np.linalg.cholesky(M))))

    fit = -0.5 * (
        v @ Ri @ v + np.trace(Ri @ C @ Sigma @ C.T) + ld(R) + len(x) * np.log(2 * np.pi)
    )
    kl = 0.5 * (np.trace(Pi @ Sigma) + u @ Pi @ u - len(m) + ld(P) - ld(Sigma))
    return fit - kl
