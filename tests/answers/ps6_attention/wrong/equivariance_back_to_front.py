"""One permutation that moves everything: back to front."""

# replaces: answer_equivariance
# fails: equivariance
# message: back to front only

import numpy as np


def is_equivariant(layer, x):
    y = layer(x)
    gap = np.abs(layer(x[::-1]) - y[::-1]).max()
    return bool(gap < 1e-5 * np.abs(y).max())
