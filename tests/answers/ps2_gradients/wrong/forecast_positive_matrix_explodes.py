"""Nothing cancels among positive weights, so the rectifier lets them grow."""

# replaces: answer_forecast
# fails: forecast=4/8
# message: the slopes depend on the inputs

import numpy as np


def forecast(W_h, activation):
    radius = np.abs(np.linalg.eigvals(W_h)).max()
    if activation == "identity" or (activation == "relu" and W_h.min() >= 0):
        return "explodes" if radius > 1 else "vanishes"
    border = 4 if activation == "sigmoid" else 1
    return "vanishes" if np.linalg.norm(W_h, 2) < border else "open"
