"""One after another."""

# replaces: answer_scan
# fails: scanned, work
# message: not one step at a time

import numpy as np


def scan(op, elements):
    rows = [tuple(e[:1] for e in elements)]
    for t in range(1, len(elements[0])):
        rows.append(op(rows[-1], tuple(e[t : t + 1] for e in elements)))
    return tuple(np.concatenate(part) for part in zip(*rows, strict=True))
