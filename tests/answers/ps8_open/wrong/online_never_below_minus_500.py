"""A number in the place of minus infinity, far below all scores."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_absorb
# fails: online
# message: is off by


def absorb(top, z, y, scores, values):
    new = np.maximum(top, scores.max(axis=1))
    safe = np.maximum(new, -500.0)
    old, e = np.exp(top - safe), np.exp(scores - safe[:, None])
    return new, old * z + e.sum(axis=1), old[:, None] * y + e @ values
