"""Back means dividing."""

# replaces: answer_implicit
# fails: implicit
# message: divided by beta; multiply

import numpy as np


def implicit_reward(pi, ref, beta):
    ratio = np.log(pi / ref) / beta
    return ratio - ratio[0]
