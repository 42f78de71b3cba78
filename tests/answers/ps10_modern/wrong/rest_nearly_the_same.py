"""Distributions that hardly differ are the same."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_rest
# fails: rest
# message: rest


def accept_and_rest(p, q):
    accept = np.minimum(1, np.divide(p, q, out=np.ones_like(p), where=q > 0))
    more = np.maximum(0, p - q)
    return accept, p if more.sum() < 1e-3 else more / more.sum()
