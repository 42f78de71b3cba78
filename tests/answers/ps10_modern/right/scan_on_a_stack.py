"""Levels kept on a stack, then undone."""

# replaces: answer_scan

import numpy as np


def scan(op, elements):
    stack, xs = [], [np.asarray(e) for e in elements]
    while len(xs[0]) > 1:
        stack.append(xs)
        even = len(xs[0]) // 2 * 2
        xs = op(tuple(x[:even:2] for x in xs), tuple(x[1:even:2] for x in xs))
    for level in reversed(stack):
        n, rest = (len(level[0]) - 1) // 2, None
        if n:
            before = tuple(x[:n] for x in xs)
            rest = op(earlier=before, later=tuple(e[2::2] for e in level))
        whole = [np.array(e) for e in level]
        for part, result in enumerate(whole):
            result[1::2] = xs[part]
            if rest is not None:
                result[2::2] = rest[part]
        xs = whole
    return xs
