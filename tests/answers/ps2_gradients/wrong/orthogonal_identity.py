"""The identity is the simplest orthogonal matrix."""

# replaces: answer_orthogonal
# fails: orthogonal
# message: the start should be random

import numpy as np


def orthogonal_start(G, gain):
    return gain * np.eye(len(G))
