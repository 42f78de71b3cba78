"""Single precision, one einsum for all steps."""

# replaces: answer_jacobians

import numpy as np


def step_jacobians(states, W_h, activation):
    h = states[1:].astype(np.float32)
    slope = {
        "tanh": lambda v: 1 - v * v,
        "sigmoid": lambda v: v * (1 - v),
        "relu": lambda v: (v > 0).astype(np.float32),
        "identity": lambda v: v * 0 + 1,
    }[activation](h)
    return np.einsum("ti,ij->tij", slope, W_h.astype(np.float32))
