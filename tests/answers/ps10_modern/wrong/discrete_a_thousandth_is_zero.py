"""Below a thousandth Euler's step will do."""

# replaces: answer_discretise
# fails: discrete
# message: delta where A = 0

import numpy as np


def discretise(delta, A):
    z = delta[:, :, None] * A
    s = np.where(
        np.abs(z) < 1e-3, delta[:, :, None], (np.exp(z) - 1) / np.where(A == 0, 1, A)
    )
    return np.exp(z), s
