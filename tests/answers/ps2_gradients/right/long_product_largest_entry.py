"""The largest entry is taken out, the norm comes last."""

# replaces: answer_long_product

import numpy as np


def log_norm(J):
    P, logs = np.eye(J.shape[-1]), [0.0]
    for factor in J:
        P = factor @ P
        largest = np.abs(P).max()
        if not largest:
            return float("-inf")
        P /= largest
        logs.append(np.log(largest))
    return sum(logs) + np.log(np.linalg.norm(P, 2))
