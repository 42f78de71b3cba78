"""Permutation matrices, and a NumPy boolean."""

# replaces: answer_equivariance

import itertools

import numpy as np


def is_equivariant(layer, x):
    y = np.asarray(layer(x), dtype=float)
    gaps = []
    for order in itertools.permutations(np.eye(len(x))):
        P = np.array(order)
        gaps.append(np.abs(layer(P @ x) - P @ y).max())
    return np.max(gaps) < 1e-5 * np.abs(y).max()
