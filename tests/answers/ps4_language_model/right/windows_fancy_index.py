"""The places of all inputs by broadcasting."""

# replaces: answer_windows

import numpy as np


def make_windows(ids, rows, chunk):
    length = len(ids) // rows
    k = np.arange(max((length - 1) // chunk, 0))[:, None, None]
    place = np.arange(rows)[:, None] * length + k * chunk + np.arange(chunk)
    return [ids[place], ids[place + 1]]
