"""The formula as it stands."""

# replaces: answer_absorb
# fails: online
# message: is nan: see hint

import numpy as np


def absorb(top, z, y, scores, values):
    new = np.maximum(top, scores.max(axis=1))
    shrink, grown = np.exp(top - new), np.exp(scores - new[:, None])
    z = shrink * z + grown.sum(axis=1)
    y = shrink[:, None] * y + grown @ values
    return new, z, y
