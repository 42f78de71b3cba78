"""The left eigenvector of the eigenvalue nearest 1."""

# replaces: answer_limit

import numpy as np


def entropy_rate(P, following):
    S, V = P.shape
    A = np.zeros((S, S))
    for s in range(S):
        for v in range(V):
            A[s, following[s, v]] += P[s, v]
    values, vectors = np.linalg.eig(A.T)
    pi = np.real(vectors[:, np.argmin(abs(values - 1))])
    pi = pi / pi.sum()
    return sum(
        -pi[s] * P[s, v] * np.log(P[s, v])
        for s in range(S)
        for v in range(V)
        if P[s, v] > 0
    )
