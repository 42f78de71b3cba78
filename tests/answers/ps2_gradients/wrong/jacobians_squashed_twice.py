"""The slope is phi'(x), so x is what the function is given."""

# replaces: answer_jacobians
# fails: jacobians=4/8
# message: do not apply phi again

import numpy as np


def step_jacobians(states, W_h, activation):
    h = states[1:]
    if activation == "tanh":
        slopes = 1 - np.tanh(h) ** 2
    elif activation == "sigmoid":
        s = 1 / (1 + np.exp(-h))
        slopes = s * (1 - s)
    elif activation == "relu":
        slopes = np.where(h > 0, 1.0, 0.0)
    else:
        slopes = np.ones_like(h)
    return np.einsum("ti,ij->tij", slopes, W_h)
