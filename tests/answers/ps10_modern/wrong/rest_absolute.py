"""The difference."""

# replaces: answer_rest
# fails: rest
# message: only where p is larger

import numpy as np


def accept_and_rest(p, q):
    accept = np.minimum(1, np.where(q > 0, p / np.where(q > 0, q, 1), 1))
    more = np.abs(p - q)
    return accept, more / more.sum() if more.any() else p
