"""Mean of the chosen, even if there are none."""

# replaces: answer_loss
# fails: gap_loss
# message: a mean of nothing is 0 / 0

import numpy as np


def masked_loss(scores, targets):
    b, n = np.nonzero(targets != -100)
    s = scores[b, n]
    s = s - s.max(axis=1, keepdims=True)
    log_p = s - np.log(np.exp(s).sum(axis=1, keepdims=True))
    losses = -log_p[np.arange(len(b)), targets[b, n]]
    return losses.sum() / len(losses) if len(losses) else np.nan
