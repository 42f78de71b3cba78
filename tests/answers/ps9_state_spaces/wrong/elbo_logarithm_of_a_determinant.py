"""The determinant first, its logarithm afterwards."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_elbo
# fails: elbo
# message: not finite


def elbo(x, C, R, m, P, mu, Sigma):
    v, w = x - C @ mu, mu - m
    fit = v @ np.linalg.solve(R, v) + np.trace(np.linalg.solve(R, C @ Sigma @ C.T))
    fit = fit + np.log(np.linalg.det(2 * np.pi * R))
    divergence = np.trace(np.linalg.solve(P, Sigma)) + w @ np.linalg.solve(P, w)
    sizes = np.log(np.linalg.det(P)) - np.log(np.linalg.det(Sigma))
    return -(fit + divergence - len(m) + sizes) / 2
