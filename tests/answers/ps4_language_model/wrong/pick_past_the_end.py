"""searchsorted alone."""

# replaces: answer_pick
# fails: pick
# message: never drawn

import numpy as np


def pick(p, u):
    found = np.searchsorted(np.cumsum(p), u, side="right")
    return int(min(found, len(p) - 1))
