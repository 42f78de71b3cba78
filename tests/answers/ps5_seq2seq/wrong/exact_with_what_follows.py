"""Rows are equal if all their entries are."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_exact
# fails: exact_match
# message: behind the first <eos> is to be ignored

import numpy as np


def exact_by_length(written, target, source):
    U = max(written.shape[1], target.shape[1])

    def wide(rows):
        return np.pad(rows, [(0, 0), (0, U - rows.shape[1])])

    right = (wide(written) == wide(target)).all(axis=1)
    length = (source > EOS).sum(axis=1)
    lengths = np.unique(length)
    return lengths, np.array([right[length == n].mean() for n in lengths])
