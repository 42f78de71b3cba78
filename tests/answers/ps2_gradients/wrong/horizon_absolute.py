"""The curve starts at 1."""

# replaces: answer_horizon
# fails: horizon
# message: the share is one of norms[0]

import numpy as np


def horizon(norms, share):
    return int(np.max(np.nonzero(norms >= share)[0], initial=0)) + 1
