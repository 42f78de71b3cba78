"""The logarithm of the norm of the product."""

# replaces: answer_long_product
# fails: long_product
# message: left the range of float64

import numpy as np


def log_norm(J):
    product = np.eye(J.shape[1])
    for step in J:
        product = step @ product
    size = np.linalg.norm(product, 2) if np.isfinite(product).all() else np.inf
    return np.log(size) if size > 0 else -np.inf
