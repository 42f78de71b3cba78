"""Neighbours in the text stand under each other."""

# replaces: answer_windows
# fails: windows
# message: not down the columns

import numpy as np


def make_windows(ids, rows, chunk):
    table = ids[: len(ids) // rows * rows].reshape(-1, rows).T
    starts = range(0, table.shape[1] - chunk, chunk)
    x = [table[:, s : s + chunk] for s in starts]
    y = [table[:, s + 1 : s + chunk + 1] for s in starts]
    return np.reshape(x, (-1, rows, chunk)), np.reshape(y, (-1, rows, chunk))
