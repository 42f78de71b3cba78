"""All that is written at once, then the walk."""

# replaces: answer_selective

import numpy as np


def selective_scan(x, a, s, B, C, h_0):
    u = np.einsum("tij,tj,ti->tij", s, B, x)
    h = np.array(h_0)
    y = np.zeros(x.shape)
    for t, (at, ut, ct) in enumerate(zip(a, u, C, strict=False)):
        h = at * h + ut
        y[t] = h.dot(ct)
    return y, h
