"""A sentence without <eos> is no sentence."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_exhaustive
# fails: all_sentences
# message: those cut off at max_length are missing

import numpy as np


def exhaustive(next_log_p, max_length):
    grown, found = [((), 0.0)], []
    for _ in range(max_length):
        new = []
        for words, total in grown:
            for word, gain in enumerate(next_log_p(words)):
                if gain > -np.inf:
                    pair = ((*words, word), total + gain)
                    (found if word == EOS else new).append(pair)
        grown = new
    return sorted(found, key=lambda pair: -pair[1])
