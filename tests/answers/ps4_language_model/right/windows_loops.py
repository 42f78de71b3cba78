"""Three loops over places."""

# replaces: answer_windows

import numpy as np


def make_windows(ids, rows, chunk):
    length = len(ids) // rows
    count = 0
    while (count + 1) * chunk + 1 <= length:
        count += 1
    x = np.empty((count, rows, chunk), dtype=int)
    y = np.empty((count, rows, chunk), dtype=int)
    for k in range(count):
        for r in range(rows):
            start = r * length + k * chunk
            x[k, r] = ids[start : start + chunk]
            y[k, r] = ids[start + 1 : start + chunk + 1]
    return x, y
