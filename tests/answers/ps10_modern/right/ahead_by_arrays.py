"""How many are accepted, then one draw."""

# replaces: answer_ahead

import numpy as np


def speculate(p, q, drafts, u, r):
    n = len(drafts)
    place = np.arange(n)
    rejected = u >= p[place, drafts] / q[place, drafts]
    count = int(np.argmax(np.append(rejected, True)))
    more = np.clip(p[count] - (q[count] if count < n else 0), 0, None)
    sums = np.cumsum(more)
    return np.append(drafts[:count], np.argmax(sums > r * sums[-1]))
