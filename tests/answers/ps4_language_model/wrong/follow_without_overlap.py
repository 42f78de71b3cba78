"""Goes on behind the occurrence it has found, like str.count."""

# replaces: answer_follow
# fails: follow
# message: occurrences may overlap

import numpy as np


def follow_counts(ids, context, V):
    counts, t, n = np.zeros(V), 0, len(context)
    while t + n < len(ids):
        if list(ids[t : t + n]) == list(context):
            counts[ids[t + n]] += 1
            t += max(n, 1)
        else:
            t += 1
    return counts
