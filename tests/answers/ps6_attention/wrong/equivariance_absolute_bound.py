"""A fixed bound for all layers."""

# replaces: answer_equivariance
# fails: equivariance
# message: the bound grows with the output

import itertools

import numpy as np


def is_equivariant(layer, x):
    y = layer(x)
    for order in itertools.permutations(range(len(x))):
        rows = list(order)
        if not np.allclose(layer(x[rows]), y[rows], rtol=0, atol=1e-5):
            return False
    return True
