"""An empty product is 1, so the array starts with ones."""

# replaces: answer_jacobian_product
# fails: jacobian_product
# message: identity matrix

import numpy as np


def jacobian_product(J, tau, t):
    if tau == t:
        return np.ones((len(J), J.shape[-1], J.shape[-1]))
    product = J[:, tau]
    for k in range(tau + 1, t):
        product = J[:, k] @ product
    return product
