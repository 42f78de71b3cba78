"""The first lag below the share is the horizon."""

# replaces: answer_horizon
# fails: horizon
# message: look for the last lag alive

import numpy as np


def horizon(norms, share):
    below = norms < share * norms[0]
    return int(np.argmax(below)) if below.any() else len(norms)
