"""After rescaling nothing is left of the product."""

# replaces: answer_long_product
# fails: long_product
# message: off by

import numpy as np


def log_norm(J):
    product, total = np.eye(J.shape[1]), 0.0
    for step in J:
        product = step @ product
        size = np.abs(product).max()
        if size == 0:
            return -np.inf
        product, total = product / size, total + np.log(size)
    return total
