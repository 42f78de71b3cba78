"""The spectral radius decides, always."""

# replaces: answer_forecast
# fails: forecast=4/8
# message: the spectral radius promises nothing

import numpy as np


def forecast(W_h, activation):
    rho = max(abs(np.linalg.eigvals(W_h)))
    if activation == "identity":
        return "vanishes" if rho < 1 else "explodes"
    gamma = 0.25 if activation == "sigmoid" else 1.0
    return "vanishes" if gamma * rho < 1 else "open"
