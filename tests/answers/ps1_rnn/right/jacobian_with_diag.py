"""diag(1 - h^2) W_h as it stands in the formula, sequence by sequence."""

# replaces: answer_jacobian

import numpy as np


def step_jacobian(states, t, W_h):
    return np.stack([np.diag(1 - h**2) @ W_h for h in states[:, t + 1]])
