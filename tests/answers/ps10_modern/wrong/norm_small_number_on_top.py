"""A root of 0 would be a division by 0."""

# replaces: answer_norm
# fails: norm
# message: over the last axis

import numpy as np


def rms_norm(x, g, eps):
    return g * x / (np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps) + 1e-8)
