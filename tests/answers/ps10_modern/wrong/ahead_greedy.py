"""The likeliest of the rest."""

# replaces: answer_ahead
# fails: ahead
# message: expected

import numpy as np


def speculate(p, q, drafts, u, r):
    tokens = []
    for i, d in enumerate(drafts):
        if u[i] < p[i, d] / q[i, d]:
            tokens.append(d)
        else:
            return [*tokens, int(np.argmax(p[i] - q[i]))]
    return [*tokens, np.searchsorted(np.cumsum(p[-1]), r, side="right")]
