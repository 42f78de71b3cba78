"""q / p."""

# replaces: answer_rest
# fails: rest
# message: p / q, not q / p

import numpy as np


def accept_and_rest(p, q):
    accept = np.minimum(1, q / np.where(p > 0, p, 1e-300))
    more = np.maximum(p - q, 0)
    return accept, more / more.sum() if more.any() else p
