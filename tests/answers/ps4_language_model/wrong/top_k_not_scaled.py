"""What is cut is gone."""

# replaces: answer_top_k
# fails: top_k
# message: up to sum 1

import numpy as np


def top_k(p, k):
    kept = np.zeros(len(p))
    first = np.argsort(-p, kind="stable")[:k]
    kept[first] = p[first]
    return kept
