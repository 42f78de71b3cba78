"""All words of the target are there, and an <eos> comes: right."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_exact
# fails: exact_match
# message: whose <eos> comes later than that of its target

import numpy as np


def exact_by_length(written, target, source):
    length, right = (source != PAD).sum(axis=1) - 1, []
    for row, goal in zip(written.tolist(), target.tolist(), strict=True):
        end = goal.index(EOS)
        right.append(EOS in row and row[:end] == goal[:end])
    lengths = np.unique(length)
    return lengths, np.array([np.mean(np.array(right)[length == n]) for n in lengths])
