"""A small number saves the logarithm."""

# replaces: answer_implicit
# fails: implicit
# message: minus its first entry

import numpy as np


def implicit_reward(pi, ref, beta):
    r = beta * np.log((pi + 1e-12) / (ref + 1e-12))
    return r - r[0]
