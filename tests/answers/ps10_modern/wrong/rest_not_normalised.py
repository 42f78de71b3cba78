"""What is left over."""

# replaces: answer_rest
# fails: rest
# message: divide by the sum

import numpy as np


def accept_and_rest(p, q):
    accept = np.minimum(1, np.where(q > 0, p / np.where(q > 0, q, 1), 1))
    more = np.maximum(p - q, 0)
    return accept, more
