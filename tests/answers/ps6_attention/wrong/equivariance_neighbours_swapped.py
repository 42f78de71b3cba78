"""Swaps of neighbours generate all permutations, so they are enough."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_equivariance
# fails: equivariance
# message: a single permutation shows it

import numpy as np


def is_equivariant(layer, x):
    y = layer(x)
    bound = 1e-5 * np.abs(y).max()
    for i in range(len(x) - 1):
        o = list(range(len(x)))
        o[i], o[i + 1] = o[i + 1], o[i]
        if np.abs(layer(x[o]) - y[o]).max() > bound:
            return False
    return True
