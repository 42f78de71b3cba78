"""The last window takes its last target from the row below."""

# replaces: answer_windows
# fails: windows
# message: inputs has shape

import numpy as np


def make_windows(ids, rows, chunk):
    length = len(ids) // rows
    count = length // chunk
    x = ids[: rows * length].reshape(rows, length)[:, : count * chunk]
    y = np.append(ids, 0)[1 : rows * length + 1].reshape(rows, length)
    y = y[:, : count * chunk]
    cut = (rows, count, chunk)
    return x.reshape(cut).swapaxes(0, 1), y.reshape(cut).swapaxes(0, 1)
