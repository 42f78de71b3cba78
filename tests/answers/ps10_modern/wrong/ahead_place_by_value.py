"""The place of a token is where it occurs."""

# replaces: answer_ahead
# fails: ahead
# message: got the tokens

import numpy as np


def speculate(p, q, drafts, u, r):
    def draw(w):
        return int(np.searchsorted(np.cumsum(w), r, side="right"))

    out = []
    for token in drafts:
        i = list(drafts).index(token)
        if u[i] < min(1, p[i][token] / q[i][token]):
            out.append(int(token))
        else:
            rest = np.maximum(p[i] - q[i], 0)
            return out + [draw(rest / rest.sum())]
    return out + [draw(p[len(drafts)])]
