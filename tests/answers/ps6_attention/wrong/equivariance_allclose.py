"""np.allclose as it comes, with its absolute bound of 1e-8."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_equivariance
# fails: equivariance
# message: the bound shrinks with the output

import itertools

import numpy as np


def is_equivariant(layer, x):
    y = layer(x)
    return all(
        np.allclose(layer(x[list(o)]), y[list(o)])
        for o in itertools.permutations(range(len(x)))
    )
