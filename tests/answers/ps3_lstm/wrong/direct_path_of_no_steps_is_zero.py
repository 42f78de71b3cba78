"""Where nothing is multiplied there is nothing."""

# replaces: answer_direct_path
# fails: direct_path
# message: none at all for t_0 = T

import numpy as np


def direct_path(f, t_0):
    if t_0 == f.shape[1]:
        return np.zeros_like(f[:, 0])
    return np.prod(f[:, t_0:], axis=1)
