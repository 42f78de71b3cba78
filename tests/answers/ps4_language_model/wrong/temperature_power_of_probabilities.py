"""p^(1/tau), scaled: right on paper, but what has become 0 stays 0."""

# replaces: answer_temperature
# fails: temperature
# message: q for tau = 1000

import numpy as np


def with_temperature(scores, tau):
    e = np.exp(scores - scores.max())
    p = (e / e.sum()) ** (1 / tau)
    return p / p.sum()
