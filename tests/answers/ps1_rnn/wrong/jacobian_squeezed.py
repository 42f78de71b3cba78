"""Axes of length 1 are superfluous."""

# replaces: answer_jacobian
# fails: jacobian
# message: has shape (), expected (1, 1, 1)

import numpy as np


def step_jacobian(states, t, W_h):
    return np.squeeze((1 - states[:, t + 1] ** 2)[:, :, None] * W_h)
