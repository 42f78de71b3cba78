"""Three loops."""

# replaces: answer_selective

import numpy as np


def selective_scan(x, a, s, B, C, h_0):
    h, y = np.array(h_0), np.zeros(x.shape)
    for t, i in np.ndindex(x.shape):
        for j in range(h.shape[1]):
            h[i, j] = a[t, i, j] * h[i, j] + s[t, i, j] * B[t, j] * x[t, i]
            y[t, i] += C[t, j] * h[i, j]
    return y.tolist(), h.tolist()
