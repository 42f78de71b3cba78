"""B reads, C writes."""

# replaces: answer_selective
# fails: selective
# message: B and C are exchanged

import numpy as np


def selective_scan(x, a, s, B, C, h_0):
    h, y = h_0, []
    for t in range(len(x)):
        h = a[t] * h + s[t] * np.outer(x[t], C[t])
        y.append(h @ B[t])
    return np.array(y), h
