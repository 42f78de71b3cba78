"""Up and down in place, on copies."""

# replaces: answer_scan

import numpy as np


def scan(op, elements):
    T = len(elements[0])
    e = [np.array(x) for x in elements]
    d = 1
    while 2 * d <= T:
        right = np.arange(2 * d - 1, T, 2 * d)
        new = op(tuple(x[right - d] for x in e), tuple(x[right] for x in e))
        for x, n in zip(e, new, strict=False):
            x[right] = n
        d *= 2
    while d >= 1:
        right = np.arange(3 * d - 1, T, 2 * d)
        if len(right):
            new = op(tuple(x[right - d] for x in e), tuple(x[right] for x in e))
            for x, n in zip(e, new, strict=False):
                x[right] = n
        d //= 2
    return tuple(e)
