"""The length is the number of entries that are not padding."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_exact
# fails: exact_match
# message: <eos> does not count in the length

import numpy as np


def exact_by_length(written, target, source):
    def cut(row):
        return row[: row.index(EOS) + 1] if EOS in row else None

    pairs = zip(written.tolist(), target.tolist(), strict=True)
    right = [cut(a) == cut(b) for a, b in pairs]
    length = (source != PAD).sum(axis=1)
    lengths = np.unique(length)
    return lengths, np.array([np.mean(np.array(right)[length == n]) for n in lengths])
