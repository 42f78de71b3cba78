"""A softmax of the rewards."""

# replaces: answer_best
# fails: best
# message: the reference is missing

import numpy as np


def best_policy(ref, reward, beta):
    score = reward / beta
    pi = np.exp(score - score.max())
    return pi / pi.sum()
