"""The table of the lecture holds shares."""

# replaces: answer_follow
# fails: follow
# message: not shares

import numpy as np


def follow_counts(ids, context, V):
    counts, n = np.zeros(V), len(context)
    for t in range(n, len(ids)):
        if list(ids[t - n : t]) == list(context):
            counts[ids[t]] += 1
    return counts / max(counts.sum(), 1)
