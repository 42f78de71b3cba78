"""A softmax of the probabilities over tau."""

# replaces: answer_temperature
# fails: temperature
# message: not the probabilities

import numpy as np


def with_temperature(scores, tau):
    p = np.exp(scores - scores.max())
    p = p / p.sum()
    w = np.exp(p / tau)
    return w / w.sum()
