"""The size of a matrix is its largest eigenvalue."""

# replaces: answer_bounds
# fails: bounds
# message: not with its spectral radius

import numpy as np


def lag_bounds(slopes, W_h, largest):
    size = np.abs(np.linalg.eigvals(W_h)).max()
    close = np.cumprod([1.0, *(slopes.max(axis=1)[::-1] * size)])
    return close, (largest * size) ** np.arange(len(slopes) + 1)
