"""Both are turned by the position."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_relative
# fails: relative
# message: keys stand at the positions m, not n


def rotary_scores(q, k, n, m):
    by = n if len(n) == len(m) else m
    return rotate(q, n) @ rotate(k, by).transpose(-2, -1) / q.shape[-1] ** 0.5
