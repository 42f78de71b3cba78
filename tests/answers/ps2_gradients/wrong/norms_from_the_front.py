"""Lags count from the beginning of the run."""

# replaces: answer_norms
# fails: norms
# message: lags count back from T

import numpy as np


def norms_by_lag(J):
    product, norms = np.eye(J.shape[1]), [1.0]
    for step in J:
        product = step @ product
        norms.append(np.linalg.norm(product, 2))
    return np.array(norms)
