"""All drafts are accepted: done."""

# replaces: answer_ahead
# fails: ahead
# message: one more is drawn

import numpy as np


def speculate(p, q, drafts, u, r):
    tokens = []
    for i, d in enumerate(drafts):
        if u[i] < p[i, d] / q[i, d]:
            tokens.append(d)
        else:
            rest = np.maximum(p[i] - q[i], 0)
            rest /= rest.sum()
            return [*tokens, np.searchsorted(np.cumsum(rest), r, side="right")]
    return tokens
