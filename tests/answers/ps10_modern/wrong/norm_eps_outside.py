"""eps keeps the divisor from being 0."""

# replaces: answer_norm
# fails: norm
# message: under the root

import numpy as np


def rms_norm(x, g, eps):
    return g * x / (np.sqrt((x**2).mean(axis=-1, keepdims=True)) + eps)
