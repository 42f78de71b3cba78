"""Words are small numbers: one byte will do."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_shift
# fails: shift
# message: the input of step t is y_{t-1}

import numpy as np


def teacher_inputs(target):
    inputs = np.full(target.shape, SOS, dtype=np.int8)
    inputs[:, 1:] = target[:, :-1].astype(np.int8)
    return inputs
