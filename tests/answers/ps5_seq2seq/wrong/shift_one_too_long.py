"""<sos> is put in front, and nothing is taken away."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_shift
# fails: shift
# message: the last word goes

import numpy as np


def teacher_inputs(target):
    return np.pad(target, [(0, 0), (1, 0)], constant_values=SOS)
