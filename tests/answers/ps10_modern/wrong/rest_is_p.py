"""Draw again from p."""

# replaces: answer_rest
# fails: rest
# message: accepted tokens twice

import numpy as np


def accept_and_rest(p, q):
    accept = np.minimum(1, np.where(q > 0, p / np.where(q > 0, q, 1), 1))
    more = p
    return accept, more
