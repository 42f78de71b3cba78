"""The list of the best."""

# replaces: answer_top_k
# fails: top_k
# message: yours are sorted

import numpy as np


def top_k(p, k):
    best = np.sort(p)[::-1].copy()
    best[k:] = 0
    return best / best.sum()
