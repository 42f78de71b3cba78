"""A rejected token is replaced, then the next one."""

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
            rest = np.maximum(p[i] - q[i], 0)
            rest /= rest.sum()
            tokens.append(np.searchsorted(np.cumsum(rest), r, side="right"))
    return [*tokens, np.searchsorted(np.cumsum(p[-1]), r, side="right")]
