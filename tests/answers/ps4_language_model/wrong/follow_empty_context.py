"""The last n tokens with a minus sign."""

# replaces: answer_follow
# fails: follow
# message: the first token of the text follows

import numpy as np


def follow_counts(ids, context, V):
    counts, n = np.zeros(V), len(context)
    for t in range(max(n, 1), len(ids)):
        if all(ids[t - k] == context[-k] for k in range(1, n + 1)):
            counts[ids[t]] += 1
    return counts
