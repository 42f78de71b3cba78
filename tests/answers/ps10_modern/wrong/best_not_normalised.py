"""Z is a constant."""

# replaces: answer_best
# fails: best
# message: divide by Z

import numpy as np


def best_policy(ref, reward, beta):
    return ref * np.exp(reward / beta)
