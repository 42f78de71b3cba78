"""A norm near zero is kept off zero, so that its logarithm can be drawn."""

# replaces: answer_norms
# fails: norms
# message: n is off

import numpy as np


def norms_by_lag(J):
    product, norms = np.eye(J.shape[1]), [1.0]
    for step in J[::-1]:
        product = product @ step
        norms.append(max(np.linalg.norm(product, 2), 1e-6))
    return np.array(norms)
