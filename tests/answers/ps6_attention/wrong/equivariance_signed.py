"""The largest difference decides."""

# replaces: answer_equivariance
# fails: equivariance
# message: take absolute values

import itertools

import numpy as np


def is_equivariant(layer, x):
    y = layer(x)
    bound = 1e-5 * np.abs(y).max()
    orders = map(list, itertools.permutations(range(len(x))))
    return all((layer(x[rows]) - y[rows]).max() <= bound for rows in orders)
