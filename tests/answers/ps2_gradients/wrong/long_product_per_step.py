"""The growth per step: divided by T."""

# replaces: answer_long_product
# fails: long_product
# message: do not divide by T

import numpy as np


def log_norm(J):
    product, total = np.eye(J.shape[1]), 0.0
    for step in J:
        product = step @ product
        size = np.linalg.norm(product, 2)
        if size == 0:
            return -np.inf
        product, total = product / size, total + np.log(size)
    return total / max(len(J), 1)
