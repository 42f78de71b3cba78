"""A mean over m features."""

# replaces: answer_random
# fails: random_features
# message: not by m: query and key each bring one

import numpy as np


def positive_features(x, omega):
    u = x / x.shape[-1] ** 0.25
    half = (u**2).sum(axis=-1, keepdims=True) / 2
    return np.exp(u @ omega.T - half) / len(omega)
