"""The formula, read from left to right: log p(x) minus the bound."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_gap
# fails: gap
# message: loses its digits


def gap(x, C, R, m, P, mu, Sigma):
    return update(m, P, x, C, R)[2] - elbo(x, C, R, m, P, mu, Sigma)
