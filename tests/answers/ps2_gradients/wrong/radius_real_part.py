"""The largest eigenvalue is the maximum of the eigenvalues."""

# replaces: answer_radius
# fails: radius
# message: negative and complex ones need

import numpy as np


def scale_to_radius(W, rho):
    return W * rho / np.linalg.eigvals(W).real.max()
