"""All states by doubling."""

# replaces: answer_selective

import numpy as np


def selective_scan(x, a, s, B, C, h_0):
    u = s * x[:, :, None] * B[:, None, :]
    u[0] += a[0] * h_0
    a, far = a.copy(), 1
    while far < len(x):
        u[far:] = u[far:] + a[far:] * u[:-far]
        a[far:] = a[far:] * a[:-far]
        far *= 2
    return np.einsum("tij,tj->ti", u, C), u[-1]
