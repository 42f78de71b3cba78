"""The features are the third axis, or the last before it."""

# replaces: answer_random
# fails: random_features
# message: the shapes do not fit

import numpy as np


def positive_features(x, omega):
    u = x / x.shape[-1] ** 0.25
    squares = (u**2).sum(axis=min(2, x.ndim - 1), keepdims=True)
    return np.exp(u @ omega.T - squares / 2) / np.sqrt(len(omega))
