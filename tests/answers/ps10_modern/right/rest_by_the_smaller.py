"""What both have, and what is left of p."""

# replaces: answer_rest

import numpy as np


def accept_and_rest(p, q):
    low = np.minimum(p, q)
    accept = np.where(q > 0, low / np.where(q > 0, q, 1), 1.0)
    more = p - low
    total = more.sum()
    return accept, more / total if total > 0 else p.copy()
