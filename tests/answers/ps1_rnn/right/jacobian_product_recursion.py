"""d h_t / d h_tau is the last Jacobian times the product before it."""

# replaces: answer_jacobian_product

import numpy as np


def jacobian_product(J, tau, t):
    if t == tau:
        return np.array([np.eye(J.shape[-1])] * len(J))
    return J[:, t - 1] @ jacobian_product(J, tau, t - 1)
