"""The likeliest state at every step."""

# replaces: answer_viterbi
# fails: viterbi
# message: one by one

import numpy as np


def viterbi(pi, A, B, x):
    ahead, belief = [pi * B[:, x[0]]], np.ones(len(pi))
    for symbol in x[1:]:
        row = ahead[-1] @ A * B[:, symbol]
        ahead.append(row / row.sum())
    path = []
    for t in range(len(x) - 1, -1, -1):
        path.insert(0, int((ahead[t] * belief).argmax()))
        belief = A @ (B[:, x[t]] * belief)
        belief = belief / belief.sum()
    return path
