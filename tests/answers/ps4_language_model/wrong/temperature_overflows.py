"""The formula as it stands."""

# replaces: answer_temperature
# fails: temperature
# message: subtract the largest score

import numpy as np


def with_temperature(scores, tau):
    with np.errstate(all="ignore"):
        w = np.exp(scores / tau)
        return w / w.sum()
