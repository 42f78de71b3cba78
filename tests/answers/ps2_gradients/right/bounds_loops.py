"""Slices of the last k slopes, a loop over the lags."""

# replaces: answer_bounds

import numpy as np


def lag_bounds(slopes, W_h, largest):
    sigma = np.sqrt(max(np.linalg.eigvalsh(W_h @ W_h.T)))
    close, far = [], []
    for k in range(len(slopes) + 1):
        bound = 1
        for row in slopes[len(slopes) - k :]:
            bound *= max(row) * sigma
        close.append(bound)
        far.append((sigma * largest) ** k)
    return [close, far]
