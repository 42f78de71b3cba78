"""The size is taken out at every twentieth step, which has always been enough."""

# replaces: answer_long_product
# fails: long_product
# message: for 307 factors

import numpy as np


def log_norm(J):
    product, total = np.eye(J.shape[1]), 0.0
    for number, step in enumerate(J, 1):
        product = step @ product
        if number % 20 == 0 and product.any():
            size = np.abs(product).max()
            product, total = product / size, total + np.log(size)
    norm = np.linalg.norm(product, 2)
    return total + np.log(norm) if norm > 0 else -np.inf
