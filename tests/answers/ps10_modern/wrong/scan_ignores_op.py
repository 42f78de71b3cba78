"""A cumulated product is a scan."""

# replaces: answer_scan
# fails: scanned, work
# message: op was not called

import numpy as np


def scan(op, elements):
    if len(elements) == 2:
        a, b = elements
        h, rows = 0.0, []
        for a_t, b_t in zip(a, b, strict=True):
            h = a_t * h + b_t
            rows.append(h)
        return np.cumprod(a, axis=0), np.array(rows)
    return (np.cumprod(elements[0], axis=0),)
