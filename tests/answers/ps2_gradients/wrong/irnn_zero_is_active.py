"""Only a negative pre-activation is cut off."""

# replaces: answer_irnn
# fails: irnn
# message: exactly 0 is not active

import numpy as np


def irnn_reach(W_x, x, h_0):
    h, reach = h_0, np.ones(len(h_0))
    for x_t in x:
        a = h + W_x @ x_t
        reach = reach * (a >= 0)
        h = np.maximum(0, a)
    return reach
