"""Plain lists; nothing at all if the text is too short."""

# replaces: answer_windows

import numpy as np


def make_windows(ids, rows, chunk):
    length = len(ids) // rows
    pieces = [ids[r * length : (r + 1) * length] for r in range(rows)]
    starts = [s for s in range(0, length, chunk) if s + chunk + 1 <= length]
    if not starts:
        return np.zeros((0, rows, chunk), int), np.zeros((0, rows, chunk), int)
    x = [[piece[s : s + chunk] for piece in pieces] for s in starts]
    y = [[piece[s + 1 : s + chunk + 1] for piece in pieces] for s in starts]
    return np.array(x), np.array(y)
