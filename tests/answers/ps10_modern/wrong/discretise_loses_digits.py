"""exp minus 1."""

# replaces: answer_discretise
# fails: discrete
# message: loses its digits

import numpy as np


def discretise(delta, A):
    z = delta[:, :, None] * A
    still = A == 0
    s = np.where(still, delta[:, :, None], (np.exp(z) - 1) / np.where(still, 1, A))
    return np.exp(z), s
