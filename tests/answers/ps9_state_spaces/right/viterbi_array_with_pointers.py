"""A table of pointers, an array for the path."""

# replaces: answer_viterbi

import numpy as np


def viterbi(pi, A, B, x):
    with np.errstate(divide="ignore"):
        start, a, b = np.log(pi), np.log(A), np.log(B)
    table = np.zeros((len(x), len(pi)), dtype=int)
    score = start + b[:, x[0]]
    for t in range(1, len(x)):
        through = score + a.T  # row: where to, column: where from
        table[t] = through.argmax(axis=1)
        score = through.max(axis=1) + b[:, x[t]]
    path = np.zeros(len(x), dtype=int)
    path[-1] = score.argmax()
    for t in range(len(x) - 1, 0, -1):
        path[t - 1] = table[t, path[t]]
    return path
