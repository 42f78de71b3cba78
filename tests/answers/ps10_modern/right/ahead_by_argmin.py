"""The first rejection by argmin, the draw without scaling."""

# replaces: answer_ahead

import numpy as np


def speculate(p, q, drafts, u, r):
    n = len(drafts)
    i = np.arange(n)
    ok = u * q[i, drafts] < p[i, drafts]
    count = n if ok.all() else int(np.argmin(ok))
    w = p[count] - (q[count] if count < n else 0)
    w = np.cumsum(np.maximum(w, 0))
    return np.append(drafts[:count], np.argmax(w > r * w[-1]))
