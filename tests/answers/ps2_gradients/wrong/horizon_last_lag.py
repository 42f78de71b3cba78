"""The horizon is the last lag that is alive."""

# replaces: answer_horizon
# fails: horizon
# message: the horizon is one more

import numpy as np


def horizon(norms, share):
    return int(np.nonzero(norms >= share * norms[0])[0][-1])
