"""Add a little to A."""

# replaces: answer_discretise
# fails: discrete
# message: expected

import numpy as np


def discretise(delta, A):
    z = delta[:, :, None] * A
    return np.exp(z), np.expm1(z) / (A - 1e-12)
