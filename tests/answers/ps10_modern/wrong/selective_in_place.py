"""h *= a."""

# replaces: answer_selective
# fails: selective
# message: changed in place: work on a copy

import numpy as np


def selective_scan(x, a, s, B, C, h_0):
    h, y = h_0, []
    for t in range(len(x)):
        h *= a[t]
        h += s[t] * np.outer(x[t], B[t])
        y.append(h @ C[t])
    return np.array(y), h
