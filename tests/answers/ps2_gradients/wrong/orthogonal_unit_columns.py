"""Columns of length 1 make an orthogonal matrix."""

# replaces: answer_orthogonal
# fails: orthogonal
# message: the singular values lie between

import numpy as np


def orthogonal_start(G, gain):
    return gain * G / np.linalg.norm(G, axis=0)
