"""The cut probabilities are simply set to 0."""

# replaces: answer_top_p
# fails: top_p
# message: up to sum 1

import numpy as np


def top_p(p, threshold):
    order = np.argsort(-p, kind="stable")
    before = np.cumsum(p[order]) - p[order]
    kept = np.array(p)
    kept[order[before >= threshold]] = 0
    return kept
