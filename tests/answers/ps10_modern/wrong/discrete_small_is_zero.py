"""Where delta A is small, s is nearly delta."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_discretise
# fails: discrete
# message: s / delta


def discretise(delta, A):
    step = delta[:, :, None] + 0 * A
    z = step * A
    small = np.abs(z) < 1e-2
    return np.exp(z), np.where(small, step, np.expm1(z) / np.where(small, 1.0, A))
