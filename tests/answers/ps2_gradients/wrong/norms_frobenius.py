"""np.linalg.norm computes the norm."""

# replaces: answer_norms
# fails: norms
# message: that is the Frobenius norm

import numpy as np


def norms_by_lag(J):
    product, norms = np.eye(J.shape[1]), []
    norms.append(np.linalg.norm(product))
    for step in J[::-1]:
        product = product @ step
        norms.append(np.linalg.norm(product))
    return np.array(norms)
