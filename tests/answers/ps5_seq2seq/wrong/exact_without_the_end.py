"""Only the words before <eos> and padding are compared."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_exact
# fails: exact_match
# message: a row without <eos> is wrong

import numpy as np


def exact_by_length(written, target, source):
    def words(row):
        found = []
        for word in row.tolist():
            if word in (EOS, PAD):
                break
            found.append(word)
        return found

    pairs = zip(written, target, strict=True)
    right = np.array([words(a) == words(b) for a, b in pairs])
    length = (source > EOS).sum(axis=1)
    lengths = np.unique(length)
    return lengths, np.array([right[length == n].mean() for n in lengths])
