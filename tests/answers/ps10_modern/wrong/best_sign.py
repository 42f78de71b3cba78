"""The penalty has a minus."""

# replaces: answer_best
# fails: best
# message: prefers low rewards

import numpy as np


def best_policy(ref, reward, beta):
    score = np.where(ref > 0, -reward / beta, -np.inf)
    pi = ref * np.exp(score - score.max())
    return pi / pi.sum()
