"""The output so far is kept, not the sum."""

# replaces: answer_absorb
# fails: online
# message: divide after the last piece

import numpy as np


def absorb(top, z, y, scores, values):
    new = np.maximum(top, scores.max(axis=1))
    safe = np.where(np.isinf(new), 0.0, new)
    shrink, grown = np.exp(top - safe), np.exp(scores - safe[:, None])
    z = shrink * z + grown.sum(axis=1)
    y = shrink[:, None] * y + grown @ values
    return new, z, y / np.where(z == 0, 1.0, z)[:, None]
