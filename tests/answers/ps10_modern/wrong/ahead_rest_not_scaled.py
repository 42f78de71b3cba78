"""The draw from the rest as it is."""

# replaces: answer_ahead
# fails: ahead
# message: expected

import numpy as np


def speculate(p, q, drafts, u, r):
    def draw(w):
        return int(np.searchsorted(np.cumsum(w), r, side="right"))

    out = []
    for i, token in enumerate(drafts):
        if u[i] < min(1, p[i][token] / q[i][token]):
            out.append(int(token))
        else:
            rest = np.maximum(p[i] - q[i], 0)
            return out + [min(draw(rest), len(rest) - 1)]
    return out + [draw(p[len(drafts)])]
