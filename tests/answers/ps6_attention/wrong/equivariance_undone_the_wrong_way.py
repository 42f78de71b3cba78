"""The same order, applied a second time, undoes it."""

# replaces: answer_equivariance
# fails: equivariance
# message: is P applied to the output as well

import itertools

import numpy as np


def is_equivariant(layer, x):
    y = layer(x)
    for order in itertools.permutations(range(len(x))):
        rows = list(order)
        if not np.allclose(
            layer(x[rows])[rows], y, rtol=0, atol=1e-5 * np.abs(y).max()
        ):
            return False
    return True
