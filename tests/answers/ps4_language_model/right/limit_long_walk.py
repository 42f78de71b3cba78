"""The average of all powers; a circle does no harm."""

# replaces: answer_limit

import numpy as np


def entropy_rate(P, following):
    A = np.einsum("sv,svz->sz", P, np.eye(len(P))[following])
    lazy = 0.5 * A + 0.5 * np.eye(len(P))
    for _ in range(20):
        lazy = lazy @ lazy
    with np.errstate(all="ignore"):
        H = -np.nansum(P * np.log(P), axis=1)
    return lazy[0] @ H
