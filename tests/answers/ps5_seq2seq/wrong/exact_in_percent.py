"""Shares are percentages."""

# replaces: answer_exact
# fails: exact_match
# message: these are percent

import numpy as np

EOS = 2


def exact_by_length(written, target, source):
    def cut(row):
        return row[: row.index(EOS) + 1] if EOS in row else None

    pairs = zip(written.tolist(), target.tolist(), strict=True)
    right = np.array([cut(ours) == cut(true) for ours, true in pairs])
    length = (source != 0).sum(axis=1) - 1
    lengths = np.unique(length)
    return lengths, np.array([100 * right[length == n].mean() for n in lengths])
