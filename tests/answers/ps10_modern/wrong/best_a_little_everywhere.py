"""A little keeps the logarithm finite."""

# replaces: answer_best
# fails: best
# message: never says is never said

import numpy as np


def best_policy(ref, reward, beta):
    score = np.log(ref + 1e-12) + reward / beta
    pi = np.exp(score - score.max())
    return pi / pi.sum()
