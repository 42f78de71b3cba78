"""Entropy is measured in bits."""

# replaces: answer_limit
# fails: limit
# message: not base 2

import numpy as np


def entropy_rate(P, following):
    S = len(P)
    A = np.zeros((S, S))
    for s in range(S):
        for v in range(P.shape[1]):
            A[s, following[s, v]] += P[s, v]
    M = np.vstack([A.T - np.eye(S), np.ones(S)])
    pi = np.linalg.lstsq(M, np.append(np.zeros(S), 1), rcond=None)[0]
    return -pi @ (P * np.log2(np.where(P > 0, P, 1))).sum(axis=1)
