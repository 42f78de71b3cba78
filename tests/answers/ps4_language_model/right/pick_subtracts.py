"""Walks along the line."""

# replaces: answer_pick

import numpy as np


def pick(p, u):
    last = None
    for token, share in enumerate(p):
        if share > 0:
            last = token
            if u < share:
                return token
        u = u - share
    return np.int64(last)
