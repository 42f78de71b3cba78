"""Fancy indexing adds up."""

# replaces: answer_limit
# fails: limit
# message: are tokens that lead to one state added

import numpy as np


def entropy_rate(P, following):
    S = len(P)
    A = np.zeros((S, S))
    for s in range(S):
        A[s, following[s]] += P[s]
    A /= A.sum(axis=1, keepdims=True) + 1e-300
    M = np.vstack([A.T - np.eye(S), np.ones(S)])
    pi = np.linalg.lstsq(M, np.append(np.zeros(S), 1), rcond=None)[0]
    return -pi @ (P * np.log(np.where(P > 0, P, 1))).sum(axis=1)
