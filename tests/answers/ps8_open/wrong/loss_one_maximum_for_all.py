"""One maximum for all places is subtracted; places far below it underflow."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_loss
# fails: gap_loss
# message: entries that are not finite

import numpy as np


def masked_loss(scores, targets):
    c = targets != -100
    if not c.any():
        return 0.0
    s, t = scores[c], targets[c]
    s = s - s.max()
    return (np.log(np.exp(s).sum(1)) - s[np.arange(len(t)), t]).mean()
