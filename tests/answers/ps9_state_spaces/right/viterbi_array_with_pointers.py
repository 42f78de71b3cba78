"""A table of pointers, an array for the path."""

# replaces: answer_viterbi

import numpy as np


def viterbi(pi, A, B, x):
    tiny = 1e-300
    a, b = np.log(A + tiny), np.log(B + tiny)
    table = np.zeros((len(x), len(pi)), dtype=int)
    score = np.log(pi + tiny) + b[:, x[0]]
    for t in range(1, len(x)):
        through = score + a.T  # row: where to, column: where from
        table[t] = through.argmax(axis=1)
        score = through.max(axis=1) + b[:, x[t]]
    path = np.zeros(len(x), dtype=int)
    path[-1] = score.argmax()
    for t in range(len(x) - 1, 0, -1):
        path[t - 1] = table[t, path[t]]
    return path
