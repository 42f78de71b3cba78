"""Up and down over a copy, padded to a power of two by repeating."""

# replaces: answer_scan

import numpy as np


def scan(op, elements):
    T = len(elements[0])
    size = 1 << (T - 1).bit_length()
    xs = [np.concatenate([e, np.repeat(e[-1:], size - T, axis=0)]) for e in elements]
    step = 1
    while step < size:  # up: ends of blocks
        left, right = (
            slice(step - 1, None, 2 * step),
            slice(2 * step - 1, None, 2 * step),
        )
        joined = op(tuple(x[left] for x in xs), tuple(x[right] for x in xs))
        for x, new in zip(xs, joined, strict=True):
            x[right] = new
        step *= 2
    step //= 2
    while step > 1:  # down: middles of the next block
        half = step // 2
        left, right = (
            slice(step - 1, size - step, step),
            slice(step + half - 1, None, step),
        )
        joined = op(tuple(x[left] for x in xs), tuple(x[right] for x in xs))
        for x, new in zip(xs, joined, strict=True):
            x[right] = new
        step = half
    return tuple(x[:T] for x in xs)
