"""Read, then write."""

# replaces: answer_selective
# fails: selective
# message: it is read before

import numpy as np


def selective_scan(x, a, s, B, C, h_0):
    h, y = h_0, []
    for t in range(len(x)):
        y.append(h @ C[t])
        h = a[t] * h + s[t] * np.outer(x[t], B[t])
    return np.array(y), h
