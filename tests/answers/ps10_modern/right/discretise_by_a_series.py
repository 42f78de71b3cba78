"""A series near 0, the quotient elsewhere."""

# replaces: answer_discretise

import math

import numpy as np


def discretise(delta, A):
    a, s = np.zeros(delta.shape + A.shape[1:]), np.zeros(delta.shape + A.shape[1:])
    for t, i, j in np.ndindex(a.shape):
        z = delta[t, i] * A[i, j]
        a[t, i, j] = math.exp(z)
        near = 1 + z / 2 + z * z / 6
        s[t, i, j] = delta[t, i] * (near if z > -1e-3 else (math.exp(z) - 1) / z)
    return a, s
