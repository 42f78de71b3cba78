"""The formula as it stands."""

# replaces: answer_best
# fails: best
# message: there is a nan

import numpy as np


def best_policy(ref, reward, beta):
    pi = ref * np.exp(reward / beta)
    return pi / pi.sum()
