"""The norm of a product is the product of the norms."""

# replaces: answer_norms
# fails: norms
# message: multiply the matrices, not their norms

import numpy as np


def norms_by_lag(J):
    norms = [1.0]
    for step in J[::-1]:
        norms.append(norms[-1] * np.linalg.norm(step, 2))
    return np.array(norms)
