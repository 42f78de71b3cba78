"""Features are kept positive by a lower bound."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_features
# fails: features
# message: however small that is

import numpy as np


def elu_features(x):
    return np.maximum(np.where(x > 0, x + 1, np.exp(x)), 1e-6)
