"""Mamba multiplies by delta."""

# replaces: answer_discretise
# fails: discrete
# message: this is Euler's step, delta

import numpy as np


def discretise(delta, A):
    z = delta[:, :, None] * A
    return np.exp(z), delta[:, :, None] * np.ones_like(z)
