"""beta log of the ratio."""

# replaces: answer_implicit
# fails: implicit
# message: take off its value

import numpy as np


def implicit_reward(pi, ref, beta):
    return beta * np.log(pi / ref)
