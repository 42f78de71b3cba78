"""The large model has the last word."""

# replaces: answer_ahead
# fails: ahead
# message: not from p

import numpy as np


def speculate(p, q, drafts, u, r):
    tokens = []
    for i, d in enumerate(drafts):
        if u[i] < p[i, d] / q[i, d]:
            tokens.append(d)
        else:
            return [*tokens, np.searchsorted(np.cumsum(p[i]), r, side="right")]
    return [*tokens, np.searchsorted(np.cumsum(p[-1]), r, side="right")]
