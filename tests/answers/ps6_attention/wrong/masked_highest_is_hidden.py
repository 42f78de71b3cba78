"""The largest score is subtracted, hidden or not."""

# replaces: answer_softmax
# fails: masked
# message: really -inf

import numpy as np


def masked_softmax(scores, mask=None):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    if mask is not None:
        e = np.where(mask, e, 0.0)
    total = e.sum(axis=-1, keepdims=True)
    return np.divide(e, total, out=np.zeros(e.shape), where=total > 0)
