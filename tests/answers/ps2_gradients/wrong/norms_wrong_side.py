"""Every new factor comes from the left, as in problem set 1."""

# replaces: answer_norms
# fails: norms
# message: the later Jacobian stands on the left

import numpy as np


def norms_by_lag(J):
    product, norms = np.eye(J.shape[1]), [1.0]
    for step in J[::-1]:
        product = step @ product
        norms.append(np.linalg.norm(product, 2))
    return np.array(norms)
