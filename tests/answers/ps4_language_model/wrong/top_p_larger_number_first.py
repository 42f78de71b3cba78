"""Sorted upwards and turned round: of equal ones the last comes first."""

# replaces: answer_top_p
# fails: top_p
# message: of equal ones the smaller number goes first

import numpy as np


def top_p(p, threshold):
    order = np.argsort(p, kind="stable")[::-1]
    before = np.cumsum(p[order]) - p[order]
    kept = np.zeros_like(p)
    kept[order] = np.where(before < threshold, p[order], 0)
    return kept / kept.sum()
