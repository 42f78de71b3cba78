"""One column shows it."""

# replaces: answer_equivariance
# fails: equivariance
# message: positions in the last column

import itertools

import numpy as np


def is_equivariant(layer, x):
    y = layer(x)
    bound = 1e-5 * np.abs(y).max()
    orders = map(list, itertools.permutations(range(len(x))))
    return all(np.abs(layer(x[r]) - y[r])[:, 0].max() <= bound for r in orders)
