"""From equal shares on, pi A again and again: a source of period 2 never settles."""

# replaces: answer_limit
# fails: limit
# message: is pi A = pi

import numpy as np


def entropy_rate(P, following):
    S = len(P)
    A = np.zeros((S, S))
    np.add.at(A, (np.arange(S)[:, None], following), P)
    pi = np.ones(S) / S
    for _ in range(10_000):
        pi = pi @ A
    return -pi @ (P * np.log(np.where(P > 0, P, 1))).sum(axis=1)
