"""Query and key are both divided by the root."""

# replaces: answer_random
# fails: random_features
# message: the root is shared by q and k

import numpy as np


def positive_features(x, omega):
    u = x / np.sqrt(x.shape[-1])
    half = (u**2).sum(axis=-1, keepdims=True) / 2
    return np.exp(u @ omega.T - half) / np.sqrt(len(omega))
