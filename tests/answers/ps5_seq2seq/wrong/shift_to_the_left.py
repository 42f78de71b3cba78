"""Shifting means dropping the first word."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_shift
# fails: shift
# message: one column to the right

import numpy as np


def teacher_inputs(target):
    inputs = np.full_like(target, PAD)
    inputs[:, :-1] = target[:, 1:]
    inputs[:, 0] = SOS
    return inputs
