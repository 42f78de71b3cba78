"""Clipping keeps the exponential finite."""

# replaces: answer_best
# fails: best
# message: expected

import numpy as np


def best_policy(ref, reward, beta):
    pi = ref * np.exp(np.clip(reward / beta, -500, 500))
    return pi / pi.sum()
