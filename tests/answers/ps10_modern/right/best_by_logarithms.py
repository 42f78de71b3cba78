"""Logarithms, -inf where the reference is 0."""

# replaces: answer_best

import numpy as np


def best_policy(ref, reward, beta):
    with np.errstate(divide="ignore"):
        score = np.log(ref) + reward / beta
    return np.exp(score - np.logaddexp.reduce(score))
