"""The logarithm of a finished, stable softmax, which is 0 for a hopeless target."""

# replaces: answer_loss
# fails: loss_edges
# message: never take the log of a softmax

import numpy as np


def masked_loss(scores, targets, mask):
    s, y = scores[mask], targets[mask]
    if len(y) == 0:
        return 0.0
    e = np.exp(s - s.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    return -np.log(p[np.arange(len(y)), y]).mean()
