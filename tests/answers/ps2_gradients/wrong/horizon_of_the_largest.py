"""The share is one of the largest norm, not of norms[0]."""

# replaces: answer_horizon
# fails: horizon
# message: the share is one of norms[0]

import numpy as np


def horizon(norms, share):
    return int(np.nonzero(norms >= share * norms.max())[0][-1]) + 1
