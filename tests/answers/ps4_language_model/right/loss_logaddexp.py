"""logaddexp over the vocabulary, where instead of indexing."""

# replaces: answer_loss

import numpy as np


def masked_loss(scores, targets, mask):
    clean = np.where(mask[..., None], scores, 0.0)
    y = np.where(mask, targets, 0)
    log_p = clean - np.logaddexp.reduce(clean, axis=-1, keepdims=True)
    each = -np.take_along_axis(log_p, y[..., None], axis=-1)[..., 0]
    return np.sum(each, where=mask) / max(1, mask.sum())
