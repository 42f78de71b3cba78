"""Tuples in a Counter."""

# replaces: answer_follow

from collections import Counter


def follow_counts(ids, context, V):
    n, text = len(context), [int(i) for i in ids]
    runs = Counter(tuple(text[t : t + n + 1]) for t in range(len(text) - n))
    return [runs[(*map(int, context), w)] for w in range(V)]
