"""J[0] is the first factor, so it stands first."""

# replaces: answer_long_product
# fails: long_product
# message: later factors stand on the left

import numpy as np


def log_norm(J):
    product, total = np.eye(J.shape[1]), 0.0
    for step in J:
        product = product @ step
        size = np.linalg.norm(product, 2)
        if size == 0:
            return -np.inf
        product, total = product / size, total + np.log(size)
    return total
