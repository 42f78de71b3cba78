"""Divides only before the numbers get too small."""

# replaces: answer_forward

import math

import numpy as np


def hmm_forward(pi, A, B, x):
    w, total, rows = pi * B[:, x[0]], 0.0, []
    for t in range(len(x)):
        if t:
            w = (w @ A) * B[:, x[t]]
        if w.sum() < 1e-100:
            total += math.log(w.sum())
            w = w / w.sum()
        rows.append(w / w.sum())
    return np.array(rows), total + math.log(w.sum())
