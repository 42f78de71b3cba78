"""The determinant first, its logarithm afterwards."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_gap
# fails: gap
# message: not finite


def gap(x, C, R, m, P, mu, Sigma):
    mean, cov, _ = update(m, P, x, C, R)
    square = (mu - mean) @ np.linalg.solve(cov, mu - mean)
    sizes = np.log(np.linalg.det(cov) / np.linalg.det(Sigma))
    return (np.trace(np.linalg.solve(cov, Sigma)) + square - len(mu) + sizes) / 2
