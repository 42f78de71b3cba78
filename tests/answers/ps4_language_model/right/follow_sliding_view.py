"""All windows at once, bincount."""

# replaces: answer_follow

import numpy as np


def follow_counts(ids, context, V):
    n = len(context)
    if len(ids) <= n:
        return np.zeros(V)
    runs = np.lib.stride_tricks.sliding_window_view(ids, n + 1)
    hit = np.all(runs[:, :n] == context, axis=1)
    return np.bincount(runs[hit, n], minlength=V).astype(float)
