"""A high temperature makes scores larger."""

# replaces: answer_temperature
# fails: temperature
# message: divide by tau, do not multiply

import numpy as np


def with_temperature(scores, tau):
    w = np.exp((scores - scores.max()) * tau)
    return w / w.sum()
