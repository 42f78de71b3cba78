"""One step after the other, with diagonal matrices written out."""

# replaces: answer_jacobians

import numpy as np


def step_jacobians(states, W_h, activation):
    result = []
    for h in states[1:]:
        if activation == "tanh":
            slope = (1 - h) * (1 + h)
        elif activation == "sigmoid":
            slope = h - h * h
        elif activation == "relu":
            slope = np.sign(h)
        else:
            slope = np.ones(h.shape)
        result.append(np.diag(slope) @ W_h)
    return np.stack(result)
