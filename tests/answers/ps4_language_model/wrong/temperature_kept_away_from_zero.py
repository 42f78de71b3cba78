"""A tiny tau would divide by nothing, so it is at least 0.01."""

# replaces: answer_temperature
# fails: temperature
# message: e^(s / tau), divided by the sum

import numpy as np


def with_temperature(scores, tau):
    e = np.exp((scores - scores.max()) / max(tau, 0.01))
    return e / e.sum()
