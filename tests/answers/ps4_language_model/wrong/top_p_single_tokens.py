"""Tokens whose probability is large enough."""

# replaces: answer_top_p
# fails: top_p
# message: not for single tokens

import numpy as np


def top_p(p, threshold):
    kept = np.where(p >= threshold, p, 0)
    return kept / max(kept.sum(), 1e-9)
