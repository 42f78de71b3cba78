"""h_0 itself must be positive, too: all states are asked, from the first on."""

# replaces: answer_irnn
# fails: irnn
# message: at every step

import numpy as np


def irnn_reach(W_x, x, h_0):
    states = [h_0]
    for x_t in x:
        states.append(np.maximum(0, states[-1] + W_x @ x_t))
    return np.all(np.array(states) > 0, axis=0).astype(float)
