"""A bound above 1 grows, so the gradient grows."""

# replaces: answer_forecast
# fails: forecast=4/8
# message: a bound that grows promises nothing

import numpy as np


def forecast(W_h, activation):
    if activation == "identity":
        return "vanishes" if abs(np.linalg.eigvals(W_h)).max() < 1 else "explodes"
    gamma = 0.25 if activation == "sigmoid" else 1.0
    return "vanishes" if gamma * np.linalg.norm(W_h, 2) < 1 else "explodes"
