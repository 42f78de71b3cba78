"""The mean of the differences is below the bound."""

# replaces: answer_equivariance
# fails: equivariance
# message: compare the largest difference

import itertools

import numpy as np


def is_equivariant(layer, x):
    y = layer(x)
    bound = 1e-5 * np.abs(y).max()
    orders = map(list, itertools.permutations(range(len(x))))
    return all(np.abs(layer(x[r]) - y[r]).mean() <= bound for r in orders)
