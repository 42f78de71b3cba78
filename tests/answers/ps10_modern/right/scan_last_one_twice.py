"""An odd number of elements gets its last one twice."""

# replaces: answer_scan

import numpy as np


def scan(op, elements):
    T = len(elements[0])
    if T == 1:
        return tuple(e.copy() for e in elements)
    if T % 2:
        elements = tuple(np.concatenate([e, e[-1:]]) for e in elements)
    left, right = (tuple(e[i::2] for e in elements) for i in (0, 1))
    odd = scan(op, op(left, right))
    if len(left[0]) > 1:
        rest = op(tuple(s[:-1] for s in odd), tuple(e[1:] for e in left))
        even = [np.concatenate([e[:1], r]) for e, r in zip(left, rest, strict=False)]
    else:
        even = left
    return tuple(
        np.stack([a, b], axis=1).reshape(-1, *a.shape[1:])[:T]
        for a, b in zip(even, odd, strict=False)
    )
