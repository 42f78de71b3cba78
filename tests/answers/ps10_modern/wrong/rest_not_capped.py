"""The quotient."""

# replaces: answer_rest
# fails: rest
# message: at most 1

import numpy as np


def accept_and_rest(p, q):
    accept = np.where(q > 0, p / np.where(q > 0, q, 1), 1)
    more = np.maximum(p - q, 0)
    return accept, more / more.sum() if more.any() else p
