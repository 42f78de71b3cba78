"""Everything one comes across is listed."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_exhaustive
# fails: all_sentences
# message: neither ended nor full length

import numpy as np


def exhaustive(next_log_p, max_length):
    found, last = [], [((), 0.0)]
    for _ in range(max_length):
        new = []
        for words, total in last:
            if EOS not in words:
                for word, gain in enumerate(next_log_p(words)):
                    if gain > -np.inf:
                        new.append(((*words, word), total + gain))
        found, last = found + new, new
    return sorted(found, key=lambda pair: -pair[1])
