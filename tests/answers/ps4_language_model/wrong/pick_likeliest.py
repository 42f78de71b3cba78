"""The best guess is the largest."""

# replaces: answer_pick
# fails: pick
# message: is it the likeliest

import numpy as np


def pick(p, u):
    return int(np.argmax(p))
