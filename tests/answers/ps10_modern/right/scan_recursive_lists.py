"""Recursion; lists of arrays."""

# replaces: answer_scan

import numpy as np


def scan(op, elements):
    T = len(elements[0])
    if T == 1:
        return [np.array(e) for e in elements]
    half = op([e[: T - 1 : 2] for e in elements], [e[1::2] for e in elements])
    odd = scan(op, half)
    even = op([o[: (T - 1) // 2] for o in odd], [e[2::2] for e in elements])
    out = []
    for e, o, v in zip(elements, odd, even, strict=True):
        r = np.zeros(e.shape)
        r[0], r[1::2], r[2::2] = e[0], o, v
        out.append(r)
    return out
