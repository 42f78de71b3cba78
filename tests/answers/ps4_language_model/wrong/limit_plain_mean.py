"""The mean of the rows' entropies."""

# replaces: answer_limit
# fails: limit
# message: this is the plain mean

import numpy as np


def entropy_rate(P, following):
    logs = np.log(np.where(P > 0, P, 1))
    return -(P * logs).sum(axis=1).mean()
