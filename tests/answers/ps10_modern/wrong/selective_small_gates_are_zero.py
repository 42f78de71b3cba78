"""A gate below a twentieth keeps nothing."""

# replaces: answer_selective
# fails: selective
# message: the old state is not kept

import numpy as np


def selective_scan(x, a, s, B, C, h_0):
    h, ys = h_0, []
    for t in range(len(x)):
        h = np.where(a[t] < 0.05, 0, a[t] * h) + s[t] * np.outer(x[t], B[t])
        ys.append(h @ C[t])
    return np.array(ys), h
