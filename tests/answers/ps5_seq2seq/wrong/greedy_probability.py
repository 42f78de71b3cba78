"""Probabilities are multiplied and returned."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_greedy
# fails: greedy_search
# message: its logarithm is asked for

import numpy as np


def greedy(next_log_p, max_length):
    words, p = (), 1.0
    while len(words) < max_length and EOS not in words:
        after = np.exp(next_log_p(words))
        words = (*words, int(after.argmax()))
        p *= after.max()
    return words, p
