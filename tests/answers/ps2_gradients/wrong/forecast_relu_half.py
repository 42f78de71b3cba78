"""The slope of the rectifier is 0 or 1, so it counts as one half."""

# replaces: answer_forecast
# fails: forecast=4/8
# message: a bound that grows promises nothing

import numpy as np


def forecast(W_h, activation):
    if activation == "identity":
        rho = np.abs(np.linalg.eigvals(W_h)).max()
        return "vanishes" if rho < 1 else "explodes"
    largest = {"tanh": 1.0, "sigmoid": 0.25, "relu": 0.5}[activation]
    return "vanishes" if largest * np.linalg.norm(W_h, 2) < 1 else "open"
