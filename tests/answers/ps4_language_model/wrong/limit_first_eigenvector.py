"""The first eigenvector is the one that stays."""

# replaces: answer_limit
# fails: limit
# message: need not be the first

import numpy as np


def entropy_rate(P, following):
    A = np.zeros((len(P), len(P)))
    np.add.at(A, (np.arange(len(P))[:, None], following), P)
    pi = np.linalg.eig(A.T)[1][:, 0].real
    pi = pi / pi.sum()
    return -pi @ (P * np.log(np.where(P > 0, P, 1))).sum(axis=1)
