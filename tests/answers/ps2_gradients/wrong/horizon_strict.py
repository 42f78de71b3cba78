"""Alive means above the share."""

# replaces: answer_horizon
# fails: horizon
# message: >=, not >

import numpy as np


def horizon(norms, share):
    alive = np.nonzero(norms > share * norms[0])[0]
    return int(alive.max(initial=0)) + 1
