"""The slope is 1 where W_x x is positive."""

# replaces: answer_irnn
# fails: irnn
# message: the old state belongs inside the bracket

import numpy as np


def irnn_reach(W_x, x, h_0):
    return np.all(x @ W_x.T > 0, axis=0).astype(float)
