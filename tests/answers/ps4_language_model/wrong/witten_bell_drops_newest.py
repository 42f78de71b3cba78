"""The context is shortened at its end."""

# replaces: answer_witten_bell
# fails: witten_bell
# message: not the newest

import numpy as np


def witten_bell(ids, context, V):
    n, counts = len(context), np.zeros(V)
    below = witten_bell(ids, context[:-1], V) if n else np.full(V, 1 / V)
    for t in range(n, len(ids)):
        if list(ids[t - n : t]) == list(context):
            counts[ids[t]] += 1
    u = (counts > 0).sum()
    return (counts + u * below) / (counts.sum() + u) if u else below
