"""Queries know where they are; that is enough."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_relative
# fails: relative
# message: the keys are not


def rotary_scores(q, k, n, m):
    return rotate(q, n) @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
