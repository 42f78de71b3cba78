"""The first sum that is at least u."""

# replaces: answer_pick
# fails: pick
# message: a left end belongs to its piece

import numpy as np


def pick(p, u):
    return int(np.argmax(np.cumsum(p) >= u))
