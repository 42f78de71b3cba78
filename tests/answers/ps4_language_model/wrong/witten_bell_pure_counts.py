"""Back to the shorter context only where there is no count."""

# replaces: answer_witten_bell
# fails: witten_bell
# message: mix in the shorter context

import numpy as np


def witten_bell(ids, context, V):
    n, counts = len(context), np.zeros(V)
    for t in range(n, len(ids)):
        if list(ids[t - n : t]) == list(context):
            counts[ids[t]] += 1
    if counts.sum():
        return counts / counts.sum()
    return witten_bell(ids, context[1:], V)
