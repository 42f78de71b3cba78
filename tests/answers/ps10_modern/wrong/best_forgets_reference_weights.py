"""A softmax over the possible answers."""

# replaces: answer_best
# fails: best
# message: the reference is missing

import numpy as np


def best_policy(ref, reward, beta):
    score = np.where(ref > 0, reward / beta, -np.inf)
    pi = np.exp(score - score.max())
    return pi / pi.sum()
