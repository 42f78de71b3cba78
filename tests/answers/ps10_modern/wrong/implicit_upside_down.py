"""Reference over policy."""

# replaces: answer_implicit
# fails: implicit
# message: upside down

import numpy as np


def implicit_reward(pi, ref, beta):
    ratio = beta * np.log(ref / pi)
    return ratio - ratio[0]
