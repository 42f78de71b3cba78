"""B x is written."""

# replaces: answer_selective
# fails: selective
# message: s is missing

import numpy as np


def selective_scan(x, a, s, B, C, h_0):
    h, y = h_0, []
    for t in range(len(x)):
        h = a[t] * h + np.outer(x[t], B[t])
        y.append(h @ C[t])
    return np.array(y), h
