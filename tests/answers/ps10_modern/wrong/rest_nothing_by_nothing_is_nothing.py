"""Where both are 0, the share is 0."""

# replaces: answer_rest
# fails: rest
# message: where q is 0

import numpy as np


def accept_and_rest(p, q):
    accept = np.minimum(1, np.nan_to_num(p / q, nan=0.0, posinf=1.0))
    more = np.maximum(0, p - q)
    return accept, more / more.sum() if more.any() else p
