"""Padding is taken out of a row before it is compared, wherever it stands."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_exact
# fails: exact_match
# message: padding before <eos>

import numpy as np


def exact_by_length(written, target, source):
    def cut(row):
        row = [w for w in row if w != PAD]
        return row[: row.index(EOS) + 1] if EOS in row else None

    pairs = zip(written.tolist(), target.tolist(), strict=True)
    right = np.array([cut(a) == cut(b) for a, b in pairs])
    length = (source != PAD).sum(axis=1) - 1
    lengths = np.unique(length)
    return lengths, np.array([right[length == n].mean() for n in lengths])
