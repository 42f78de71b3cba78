"""Eigenvalues are real numbers."""

# replaces: answer_forecast
# fails: forecast=4/8
# message: may be negative or complex

import numpy as np


def forecast(W_h, activation):
    if activation == "identity":
        return "vanishes" if np.linalg.eigvals(W_h).real.max() < 1 else "explodes"
    gamma = 0.25 if activation == "sigmoid" else 1.0
    return "vanishes" if gamma * np.linalg.norm(W_h, 2) < 1 else "open"
