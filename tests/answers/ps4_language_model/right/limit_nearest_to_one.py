"""The eigenvector whose eigenvalue is nearest to 1, by its residual."""

# replaces: answer_limit

import numpy as np


def entropy_rate(P, following):
    A = sum(np.eye(len(P))[following[:, v]] * P[:, [v]] for v in range(P.shape[1]))
    values, vectors = np.linalg.eig(A.T)
    pi = vectors[:, np.abs(values - 1).argmin()].real
    pi = pi / pi.sum()
    with np.errstate(divide="ignore", invalid="ignore"):
        entropies = -np.nansum(P * np.log(P), axis=1)
    return pi @ entropies
