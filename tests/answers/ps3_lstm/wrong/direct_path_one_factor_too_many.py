"""The product starts at t_0."""

# replaces: answer_direct_path
# fails: direct_path
# message: one factor too many

import numpy as np


def direct_path(f, t_0):
    product = np.ones_like(f[:, 0])
    for t in range(max(t_0, 1), f.shape[1] + 1):
        product = product * f[:, t - 1]
    return product
