"""The formula as it stands."""

# replaces: answer_softmax
# fails: softmax, masked
# message: large scores overflow

import numpy as np


def masked_softmax(scores, mask=None):
    e = np.exp(scores)
    if mask is not None:
        e = e * mask
    total = e.sum(axis=-1, keepdims=True)
    return np.divide(e, total, out=np.zeros(e.shape), where=total > 0)
