"""The norm of a matrix is its radius."""

# replaces: answer_radius
# fails: radius
# message: its largest singular value, not its spectral radius

import numpy as np


def scale_to_radius(W, rho):
    return W * rho / np.linalg.norm(W, 2)
