"""Up to the first cut the state is a running sum, and later steps cannot mend it."""

# replaces: answer_irnn

import numpy as np


def irnn_reach(W_x, x, h_0):
    return np.all(h_0 + np.cumsum(x @ W_x.T, axis=0) > 0, axis=0).astype(int)
