"""The slope is at most 1."""

# replaces: answer_bounds
# fails: bounds
# message: the largest slope is missing

import numpy as np


def lag_bounds(slopes, W_h, largest):
    size = np.linalg.norm(W_h, 2)
    close = np.cumprod([1.0, *(slopes.max(axis=1)[::-1] * size)])
    return close, size ** np.arange(len(slopes) + 1.0)
