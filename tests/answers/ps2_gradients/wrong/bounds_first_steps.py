"""Lag k has k factors, slopes[:k]."""

# replaces: answer_bounds
# fails: bounds
# message: the last k steps, not the first

import numpy as np


def lag_bounds(slopes, W_h, largest):
    size = np.linalg.norm(W_h, 2)
    close = np.cumprod([1.0, *(slopes.max(axis=1) * size)])
    return close, (largest * size) ** np.arange(len(slopes) + 1)
