"""The formula."""

# replaces: answer_discretise
# fails: discrete
# message: where A = 0, s is delta

import numpy as np


def discretise(delta, A):
    z = delta[:, :, None] * A
    return np.exp(z), np.expm1(z) / A
