"""The smallest float under the logarithm."""

# replaces: answer_best
# fails: best
# message: never says

import numpy as np


def best_policy(ref, reward, beta):
    s = np.log(ref + 1e-300) + reward / beta
    p = np.exp(s - s.max())
    return p / p.sum()
