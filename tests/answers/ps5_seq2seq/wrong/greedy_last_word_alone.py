"""The model is asked about the last word only."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_greedy
# fails: greedy_search
# message: not one

import numpy as np


def greedy(next_log_p, max_length):
    words, total, last = [], 0.0, SOS
    while len(words) < max_length and last != EOS:
        log_p = next_log_p(last)
        last = int(np.argmax(log_p))
        words.append(last)
        total += log_p[last]
    return tuple(words), total
