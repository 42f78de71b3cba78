"""np.prod multiplies the factors."""

# replaces: answer_jacobian_product
# fails: jacobian_product
# message: @ and not *

import numpy as np


def jacobian_product(J, tau, t):
    if tau == t:
        return np.tile(np.eye(J.shape[-1]), (len(J), 1, 1))
    return np.prod(J[:, tau:t], axis=1)
