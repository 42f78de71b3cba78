"""The formula as it stands: for M = 0 it counts -1 windows."""

# replaces: answer_windows
# fails: windows
# message: negative

import numpy as np


def make_windows(ids, rows, chunk):
    length = len(ids) // rows
    table = np.asarray(ids)[: rows * length].reshape(rows, length)
    count = (length - 1) // chunk
    x = np.empty((count, rows, chunk), dtype=int)
    y = np.empty((count, rows, chunk), dtype=int)
    for k in range(count):
        x[k] = table[:, k * chunk : (k + 1) * chunk]
        y[k] = table[:, k * chunk + 1 : (k + 1) * chunk + 1]
    return x, y
