"""The formula."""

# replaces: answer_rest
# fails: rest
# message: not finite

import numpy as np


def accept_and_rest(p, q):
    accept = np.minimum(1, p / q)
    more = np.maximum(p - q, 0)
    return accept, more / more.sum() if more.any() else p
