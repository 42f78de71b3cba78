"""Numbers with more digits have room for more."""

# replaces: answer_long_product
# fails: long_product
# message: for 307 factors

import numpy as np


def log_norm(J):
    product = np.eye(J.shape[1], dtype=np.longdouble)
    for step in J:
        product = step @ product
    size = np.abs(product).max()
    if size == 0:
        return -np.inf
    rest = np.linalg.norm((product / size).astype(float), 2)
    return float(np.log(size)) + np.log(rest)
