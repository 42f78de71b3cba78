"""A dictionary of lists, results as lists."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_exact

from collections import defaultdict


def exact_by_length(written, target, source):
    groups = defaultdict(list)
    rows = written.tolist(), target.tolist(), source.tolist()
    for ours, true, read in zip(*rows, strict=True):
        goal = true[: true.index(EOS) + 1]
        groups[read.index(EOS)].append(ours[: len(goal)] == goal)
    lengths = sorted(groups)
    return lengths, [sum(groups[n]) / len(groups[n]) for n in lengths]
