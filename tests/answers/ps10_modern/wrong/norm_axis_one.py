"""Rows are along axis 1."""

# replaces: answer_norm
# fails: norm
# message: AxisError

import numpy as np


def rms_norm(x, g, eps):
    return g * x / np.sqrt((x**2).mean(axis=1, keepdims=True) + eps)
