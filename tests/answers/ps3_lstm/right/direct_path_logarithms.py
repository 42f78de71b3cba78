"""A product is the exponential of a sum of logarithms; log 0 warns and is right."""

# replaces: answer_direct_path

import numpy as np


def direct_path(f, t_0):
    return np.exp(np.log(f[:, t_0:].astype(np.float32)).sum(axis=1))
