"""The sum must go beyond the threshold."""

# replaces: answer_top_p
# fails: top_p
# message: one token too many

import numpy as np


def top_p(p, threshold):
    order = np.argsort(-p, kind="stable")
    before = np.cumsum(p[order]) - p[order]
    keep = order[before <= threshold]
    kept = np.zeros_like(p)
    kept[keep] = p[keep]
    return kept / kept.sum()
