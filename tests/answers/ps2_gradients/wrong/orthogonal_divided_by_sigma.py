"""A matrix of norm 1 is orthogonal."""

# replaces: answer_orthogonal
# fails: orthogonal
# message: divided by one number is not orthogonal

import numpy as np


def orthogonal_start(G, gain):
    return gain * G / np.linalg.norm(G, 2)
