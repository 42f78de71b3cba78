"""The bound uses the largest entry, not the largest absolute value."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_equivariance
# fails: equivariance
# message: absolute values

import itertools

import numpy as np


def is_equivariant(layer, x):
    y = layer(x)
    bound = 1e-5 * np.max(y)
    return all(
        np.abs(layer(x[list(o)]) - y[list(o)]).max() <= bound
        for o in itertools.permutations(range(len(x)))
    )
