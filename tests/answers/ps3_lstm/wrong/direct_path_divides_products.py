"""The product up to T, divided by the product up to t_0."""

# replaces: answer_direct_path
# fails: direct_path
# message: entries that are not finite

import numpy as np


def direct_path(f, t_0):
    products = np.cumprod(f, axis=1)
    return products[:, -1] / (products[:, t_0 - 1] if t_0 > 0 else 1.0)
