"""Two running sums of logarithms."""

# replaces: answer_selective
# fails: selective
# message: not finite

import numpy as np


def selective_scan(x, a, s, B, C, h_0):
    u = s * x[:, :, None] * B[:, None, :]
    L = np.cumsum(np.log(a), axis=0)
    h = np.exp(L) * (h_0 + np.cumsum(u * np.exp(-L), axis=0))
    return np.einsum("tij,tj->ti", h, C), h[-1]
