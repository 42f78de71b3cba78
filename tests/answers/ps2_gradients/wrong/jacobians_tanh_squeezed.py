"""Axes of length 1 are taken away, also where they belong to the Jacobian."""

# replaces: answer_jacobians
# fails: jacobians=6/8
# message: J for tanh has shape

import numpy as np


def step_jacobians(states, W_h, activation):
    h = states[1:]
    if activation == "tanh":
        return np.squeeze((1 - h**2)[:, :, None] * W_h)
    slopes = {"sigmoid": h * (1 - h), "relu": h > 0, "identity": np.ones_like(h)}
    return slopes[activation][:, :, None] * W_h
