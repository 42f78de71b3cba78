"""Zeros behind the end make a power of two."""

# replaces: answer_scan

import numpy as np


def halved(op, e):
    if len(e[0]) == 1:
        return e
    odd = halved(op, op(tuple(x[::2] for x in e), tuple(x[1::2] for x in e)))
    out = tuple(np.zeros_like(x) for x in e)
    for place, first, second in zip(out, e, odd, strict=True):
        place[0], place[1::2] = first[0], second
    if len(e[0]) > 2:
        rest = op(tuple(x[:-1] for x in odd), tuple(x[2::2] for x in e))
        for place, even in zip(out, rest, strict=True):
            place[2::2] = even
    return out


def scan(op, elements):
    T = len(elements[0])
    more = (1 << (T - 1).bit_length()) - T

    def behind(x):
        return np.concatenate([x, np.zeros((more, *x.shape[1:]))])

    return tuple(x[:T] for x in halved(op, tuple(map(behind, elements))))
