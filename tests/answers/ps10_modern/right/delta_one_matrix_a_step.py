"""Decay and correction as one matrix."""

# replaces: answer_delta

import numpy as np


def delta_rule(q, k, v, alpha, beta, S_0):
    S, ys, one = S_0, [], np.eye(k.shape[1])
    for qt, kt, vt, a, b in zip(q, k, v, alpha, beta, strict=False):
        S = a * S @ (one - b * kt[:, None] * kt) + b * vt[:, None] * kt
        ys.append((S * qt).sum(axis=1))
    return ys, S
