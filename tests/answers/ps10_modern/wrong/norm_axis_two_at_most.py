"""The features are the third axis, or the last before it."""

# replaces: answer_norm
# fails: norm
# message: over the last axis

import numpy as np


def rms_norm(x, g, eps):
    return g * x / np.sqrt((x**2).mean(axis=min(2, x.ndim - 1), keepdims=True) + eps)
