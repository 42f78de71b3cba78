"""Performers add a small number, so that no feature is 0."""

# replaces: answer_random
# fails: random_features
# message: is a number added to them

import numpy as np


def positive_features(x, omega):
    u = x / x.shape[-1] ** 0.25
    exponent = u @ omega.T - (u**2).sum(axis=-1, keepdims=True) / 2
    return (np.exp(exponent) + 1e-6) / np.sqrt(len(omega))
