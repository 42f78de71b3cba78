"""There is always something to count."""

# replaces: answer_loss
# fails: loss_edges
# message: 0, not 0 / 0

import numpy as np


def masked_loss(scores, targets, mask):
    s, y = scores[mask], targets[mask]
    s = s - s.max(axis=1, keepdims=True)
    each = np.log(np.exp(s).sum(axis=1)) - s[range(len(y)), y]
    return each.sum() / len(each) if len(each) else float("nan")
