"""A state starts at 0."""

# replaces: answer_selective
# fails: selective
# message: h_0 is not used

import numpy as np


def selective_scan(x, a, s, B, C, h_0):
    h, y = np.zeros_like(h_0), []
    for t in range(len(x)):
        h = a[t] * h + s[t] * np.outer(x[t], B[t])
        y.append(h @ C[t])
    return np.array(y), h
