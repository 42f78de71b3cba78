"""The largest reward is taken off."""

# replaces: answer_best
# fails: best
# message: there is a nan

import numpy as np


def best_policy(ref, reward, beta):
    score = reward / beta
    pi = ref * np.exp(score - score.max())
    return pi / pi.sum()
