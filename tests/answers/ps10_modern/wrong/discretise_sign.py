"""A rate of decay is positive."""

# replaces: answer_discretise
# fails: discrete
# message: the sign of the exponent

import numpy as np


def discretise(delta, A):
    z = delta[:, :, None] * A
    still = A == 0
    s = np.where(still, delta[:, :, None], np.expm1(-z) / np.where(still, 1, -A))
    return np.exp(-z), s
