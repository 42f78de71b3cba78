"""A reward below a thousandth is none."""

# replaces: answer_implicit
# fails: implicit
# message: minus its first entry

import numpy as np


def implicit_reward(pi, ref, beta):
    r = beta * np.log(pi / ref)
    r = r - r[0]
    r[np.abs(r) < 1e-3] = 0
    return r
