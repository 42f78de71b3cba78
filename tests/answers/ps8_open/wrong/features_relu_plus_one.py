"""Positive is positive."""

# replaces: answer_features
# fails: features
# message: this is relu(x) + 1

import numpy as np


def elu_features(x):
    return np.maximum(x, 0) + 1
