"""Old sums stay as they are."""

# replaces: answer_absorb
# fails: online
# message: not made smaller by exp

import numpy as np


def absorb(top, z, y, scores, values):
    new = np.maximum(top, scores.max(axis=1))
    safe = np.where(np.isinf(new), 0.0, new)
    grown = np.exp(scores - safe[:, None])
    return new, z + grown.sum(axis=1), y + grown @ values
