"""A factor below 1e-12 is rounding noise, so the product is zero."""

# replaces: answer_long_product
# fails: long_product
# message: take nothing but 0 for zero

import numpy as np


def log_norm(J):
    product, total = np.eye(J.shape[-1]), 0.0
    for step in J:
        product = step @ product
        size = np.abs(product).max()
        if size < 1e-12:
            return -np.inf
        product, total = product / size, total + np.log(size)
    return total + np.log(np.linalg.norm(product, 2))
