"""A wider number has room for e to the 1000."""

# replaces: answer_loss
# fails: loss_edges
# message: 30,000 below the top

import numpy as np


def masked_loss(scores, targets, mask):
    s, y = scores[mask].astype(np.longdouble), targets[mask]
    if len(y) == 0:
        return 0.0
    each = np.log(np.exp(s).sum(axis=1)) - s[np.arange(len(y)), y]
    return float(each.mean())
