"""All rows move on by one, by two, and so on."""

# replaces: answer_equivariance
# fails: equivariance
# message: turning the circle only

import numpy as np


def is_equivariant(layer, x):
    y = layer(x)
    gaps = [
        np.abs(layer(np.roll(x, by, axis=0)) - np.roll(y, by, axis=0)).max()
        for by in range(len(x))
    ]
    return bool(max(gaps) < 1e-5 * np.abs(y).max())
