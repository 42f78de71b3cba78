"""On average it stands in the middle."""

# replaces: answer_chance
# fails: chance
# message: this takes the mean rank

import numpy as np


def chance_exposure(n):
    return np.log2(n) - np.log2((n + 1) / 2)
