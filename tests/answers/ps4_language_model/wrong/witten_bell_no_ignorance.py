"""The recursion ends at the plain counts of the letters."""

# replaces: answer_witten_bell
# fails: witten_bell
# message: below the empty context

import numpy as np


def witten_bell(ids, context, V):
    n, counts = len(context), np.zeros(V)
    for t in range(n, len(ids)):
        if list(ids[t - n : t]) == list(context):
            counts[ids[t]] += 1
    if n == 0:
        return counts / counts.sum()
    below, u = witten_bell(ids, context[1:], V), (counts > 0).sum()
    return (counts + u * below) / (counts.sum() + u) if u else below
