"""No probability is 0."""

# replaces: answer_limit
# fails: limit
# message: 0 ln 0 = 0

import numpy as np


def entropy_rate(P, following):
    S = len(P)
    A = np.zeros((S, S))
    np.add.at(A, (np.arange(S)[:, None], following), P)
    M = np.vstack([A.T - np.eye(S), np.ones(S)])
    pi = np.linalg.lstsq(M, np.append(np.zeros(S), 1), rcond=None)[0]
    with np.errstate(all="ignore"):
        return -pi @ (P * np.log(P)).sum(axis=1)
