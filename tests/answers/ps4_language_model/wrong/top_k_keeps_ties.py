"""All that are as large as the k-th."""

# replaces: answer_top_k
# fails: top_k
# message: of equal ones the smaller number first

import numpy as np


def top_k(p, k):
    least = np.sort(p)[::-1][min(k, len(p)) - 1]
    kept = np.where(p >= least, p, 0)
    return kept / kept.sum()
