"""The product runs over k from tau to t - 1, so that is the order on paper."""

# replaces: answer_jacobian_product
# fails: jacobian_product
# message: later Jacobians on the left

import numpy as np


def jacobian_product(J, tau, t):
    B, _, d, _ = J.shape
    product = np.tile(np.eye(d), (B, 1, 1))
    for k in range(tau, t):
        product = product @ J[:, k]
    return product
