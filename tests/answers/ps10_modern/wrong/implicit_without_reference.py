"""What it says often, it likes."""

# replaces: answer_implicit
# fails: implicit
# message: the reference is missing

import numpy as np


def implicit_reward(pi, ref, beta):
    return beta * np.log(pi / pi[0])
