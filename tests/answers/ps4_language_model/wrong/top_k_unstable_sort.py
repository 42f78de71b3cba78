"""argsort as it comes: in a long list equal tokens change places."""

# replaces: answer_top_k
# fails: top_k
# message: of equal ones the smaller number goes first

import numpy as np


def top_k(p, k):
    kept = np.zeros_like(p)
    first = np.argsort(-p)[:k]
    kept[first] = p[first]
    return kept / kept.sum()
