"""From the empty context upwards, single precision."""

# replaces: answer_witten_bell

import numpy as np


def witten_bell(ids, context, V):
    p = np.ones(V, dtype=np.float32) / V
    context, text = list(context), list(ids)
    for n in range(len(context) + 1):
        h, c = context[len(context) - n :], np.zeros(V, dtype=np.float32)
        for t in range(n, len(text)):
            if text[t - n : t] == h:
                c[text[t]] += 1
        u = np.float32((c > 0).sum())
        p = (c + u * p) / (c.sum() + u) if u else p
    return p
