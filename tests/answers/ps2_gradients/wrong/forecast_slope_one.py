"""No slope is larger than 1."""

# replaces: answer_forecast
# fails: forecast=4/8
# message: the slope of the sigmoid is at most 1/4

import numpy as np


def forecast(W_h, activation):
    if activation == "identity":
        return "vanishes" if abs(np.linalg.eigvals(W_h)).max() < 1 else "explodes"
    return "vanishes" if np.linalg.norm(W_h, 2) < 1 else "open"
