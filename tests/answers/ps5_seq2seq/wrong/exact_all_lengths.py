"""Every length up to the longest gets an entry, with share 0 if it never occurs."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_exact
# fails: exact_match
# message: only lengths that occur

import numpy as np


def exact_by_length(written, target, source):
    def cut(row):
        return row[: row.index(EOS) + 1] if EOS in row else None

    pairs = zip(written.tolist(), target.tolist(), strict=True)
    right = np.array([cut(a) == cut(b) for a, b in pairs])
    length = (source != PAD).sum(axis=1) - 1
    lengths = np.arange(length.max() + 1)
    count = np.bincount(length)
    return lengths, np.bincount(length, weights=right) / np.maximum(count, 1)
