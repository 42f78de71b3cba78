"""Walk far enough and the start is forgotten."""

# replaces: answer_limit
# fails: limit
# message: is pi A = pi

import numpy as np


def entropy_rate(P, following):
    S = len(P)
    A = np.zeros((S, S))
    np.add.at(A, (np.arange(S)[:, None], following), P)
    pi = np.linalg.matrix_power(A, 4096)[0]
    return -pi @ (P * np.log(np.where(P > 0, P, 1))).sum(axis=1)
