"""Divide where it stands."""

# replaces: answer_norm
# fails: norm
# message: changed in place: work on a copy

import numpy as np


def rms_norm(x, g, eps):
    x /= np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps)
    x *= g
    return x
