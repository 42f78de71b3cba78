"""The network is asked for the text it sees."""

# replaces: answer_windows
# fails: windows
# message: the targets are the inputs

import numpy as np


def make_windows(ids, rows, chunk):
    table = ids[: len(ids) // rows * rows].reshape(rows, -1)
    starts = range(0, table.shape[1] - chunk, chunk)
    x = np.reshape([table[:, s : s + chunk] for s in starts], (-1, rows, chunk))
    return x, x
