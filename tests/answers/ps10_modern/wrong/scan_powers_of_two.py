"""T is a power of two."""

# replaces: answer_scan
# fails: scanned, work
# message: expected

import numpy as np


def scan(op, elements):
    T = len(elements[0])
    if T == 1:
        return elements
    odd = scan(
        op,
        op(
            tuple(e[: T // 2 * 2 : 2] for e in elements),
            tuple(e[1::2] for e in elements),
        ),
    )
    out = tuple(np.zeros(e.shape) for e in elements)
    some = T // 2 - 1
    rest = op(
        tuple(o[:some] for o in odd), tuple(e[2 : 2 * some + 1 : 2] for e in elements)
    )
    for r, e, o, v in zip(out, elements, odd, rest, strict=True):
        r[0], r[1::2], r[2 : 2 * some + 1 : 2] = e[0], o, v
    return out
