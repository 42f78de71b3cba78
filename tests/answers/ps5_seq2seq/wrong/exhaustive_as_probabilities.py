"""The list says how probable each sentence is."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_exhaustive
# fails: all_sentences
# message: its logarithm is asked for

import numpy as np


def exhaustive(next_log_p, max_length):
    found = []

    def go_on(words, p):
        if len(words) == max_length or EOS in words:
            found.append((words, p))
            return
        for word, more in enumerate(np.exp(next_log_p(words))):
            if more > 0:
                go_on((*words, word), p * more)

    go_on((), 1.0)
    return sorted(found, key=lambda pair: -pair[1])
