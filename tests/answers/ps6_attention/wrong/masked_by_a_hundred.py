"""A hundred less will do for minus infinity."""

# replaces: answer_softmax
# fails: masked
# message: it must be exactly 0

import numpy as np


def masked_softmax(scores, mask=None):
    if mask is None:
        mask = np.ones(scores.shape, dtype=bool)
    scores = np.where(mask, scores, scores - 100)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True) * mask.any(axis=-1, keepdims=True)
