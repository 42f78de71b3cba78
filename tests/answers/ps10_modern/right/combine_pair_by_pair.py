"""Pair by pair; lists come back."""

# replaces: answer_combine

import numpy as np


def combine(earlier, later):
    pairs = zip(*earlier, *later, strict=True)
    A, b = zip(*((C @ A, np.dot(C, b) + d) for A, b, C, d in pairs), strict=True)
    return [list(A), list(b)]
