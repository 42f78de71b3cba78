"""Every state comes back."""

# replaces: answer_selective
# fails: selective
# message: return the last state alone

import numpy as np


def selective_scan(x, a, s, B, C, h_0):
    h, y, states = h_0, [], []
    for t in range(len(x)):
        h = a[t] * h + s[t] * np.outer(x[t], B[t])
        y.append(h @ C[t])
        states.append(h)
    return np.array(y), np.array(states)
