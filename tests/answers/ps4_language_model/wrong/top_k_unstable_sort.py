"""argsort as it comes: in a long list equal tokens change places."""

# replaces: answer_top_k
# fails: top_k
# message: the k largest stay where they are

import numpy as np


def top_k(p, k):
    kept = np.zeros_like(p)
    first = np.argsort(-p)[:k]
    kept[first] = p[first]
    return kept / kept.sum()
