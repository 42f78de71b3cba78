"""Blocks of about root T, one after another."""

# replaces: answer_scan
# fails: scanned, work
# message: not one step at a time

import numpy as np


def scan(op, elements):
    T = len(elements[0])
    size = int(np.ceil(T**0.5))
    xs = [np.concatenate([e, np.repeat(e[-1:], -T % size, axis=0)]) for e in elements]
    xs = [x.reshape(-1, size, *x.shape[1:]) for x in xs]
    for t in range(1, size):
        new = op(tuple(x[:, t - 1] for x in xs), tuple(x[:, t] for x in xs))
        for x, value in zip(xs, new, strict=True):
            x[:, t] = value
    for b in range(1, len(xs[0])):
        last = tuple(np.repeat(x[b - 1, -1:], size, axis=0) for x in xs)
        for x, value in zip(xs, op(last, tuple(x[b] for x in xs)), strict=True):
            x[b] = value
    return tuple(x.reshape(-1, *x.shape[2:])[:T] for x in xs)
