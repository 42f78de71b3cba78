"""A loop that starts with ones."""

# replaces: answer_direct_path

import numpy as np


def direct_path(f, t_0):
    kept = np.ones((len(f), f.shape[2]))
    for t in range(t_0 + 1, f.shape[1] + 1):
        kept = kept * f[:, t - 1]
    return kept
