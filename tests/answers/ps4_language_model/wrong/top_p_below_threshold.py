"""The sum must not go beyond the threshold."""

# replaces: answer_top_p
# fails: top_p
# message: is kept, too

import numpy as np


def top_p(p, threshold):
    order = np.argsort(-p, kind="stable")
    keep = np.cumsum(p[order]) < threshold
    keep[0] = True
    kept = np.zeros_like(p)
    kept[order[keep]] = p[order[keep]]
    return kept / kept.sum()
