"""A window has chunk + 1 letters, so the next one begins after them."""

# replaces: answer_windows
# fails: windows
# message: without a gap

import numpy as np


def make_windows(ids, rows, chunk):
    table = ids[: len(ids) // rows * rows].reshape(rows, -1)
    starts = range(0, table.shape[1] - chunk, chunk + 1)
    x = [table[:, s : s + chunk] for s in starts]
    y = [table[:, s + 1 : s + chunk + 1] for s in starts]
    return np.reshape(x, (-1, rows, chunk)), np.reshape(y, (-1, rows, chunk))
