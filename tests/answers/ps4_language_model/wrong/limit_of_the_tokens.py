"""The entropy of the letters' shares."""

# replaces: answer_limit
# fails: limit
# message: as if there were no past

import numpy as np


def entropy_rate(P, following):
    S = len(P)
    A = np.zeros((S, S))
    for s in range(S):
        for v in range(P.shape[1]):
            A[s, following[s, v]] += P[s, v]
    M = np.vstack([A.T - np.eye(S), np.ones(S)])
    pi = np.linalg.lstsq(M, np.append(np.zeros(S), 1), rcond=None)[0]
    share = pi @ P
    return -sum(q * np.log(q) for q in share if q > 0)
