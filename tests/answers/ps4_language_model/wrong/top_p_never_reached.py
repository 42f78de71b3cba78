"""argmax of sum >= threshold is 0 when rounding keeps the sum below 1."""

# replaces: answer_top_p
# fails: top_p
# message: p for the threshold

import numpy as np


def top_p(p, threshold):
    order = np.argsort(-p, kind="stable")
    n = np.argmax(np.cumsum(p[order]) >= threshold) + 1
    kept = np.zeros_like(p)
    kept[order[:n]] = p[order[:n]]
    return kept / kept.sum()
