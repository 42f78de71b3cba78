"""Without a loop over rows: a running count of <eos>."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_exact

import numpy as np


def exact_by_length(written, target, source):
    U = max(written.shape[1], target.shape[1])

    def cut(rows):
        rows = np.pad(rows, [(0, 0), (0, U - rows.shape[1])])
        ended = np.cumsum(rows == EOS, axis=1) - (rows == EOS)
        return np.where(ended > 0, PAD, rows)

    right = (cut(written) == cut(target)).all(axis=1)
    length = np.count_nonzero(source > EOS, axis=1)
    count = np.bincount(length)
    share = np.bincount(length, weights=right) / np.maximum(count, 1)
    return np.flatnonzero(count), share[count > 0]
