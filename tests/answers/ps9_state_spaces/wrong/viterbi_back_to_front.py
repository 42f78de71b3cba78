"""Appended from the end."""

# replaces: answer_viterbi
# fails: viterbi
# message: back to front

import numpy as np


def viterbi(pi, A, B, x):
    with np.errstate(divide="ignore"):
        a, b = np.log(A), np.log(B)
        score = np.log(pi) + b[:, x[0]]
    back = []
    for symbol in x[1:]:
        through = score[:, None] + a
        back.append(through.argmax(axis=0))
        score = through.max(axis=0) + b[:, symbol]
    path = [score.argmax()]
    for row in back[::-1]:
        path.append(row[path[-1]])
    return path
