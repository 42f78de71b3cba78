"""The formula as it stands."""

# replaces: answer_loss
# fails: loss_edges
# message: is the largest score

import numpy as np


def masked_loss(scores, targets, mask):
    s, y = scores[mask], targets[mask]
    if not mask.any():
        return 0.0
    p = np.exp(s) / np.exp(s).sum(axis=1, keepdims=True)
    return -np.log(p[range(len(y)), y]).mean()
