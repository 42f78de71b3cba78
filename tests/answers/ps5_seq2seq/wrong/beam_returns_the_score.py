"""What was ranked is returned."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_beam
# fails: beam_alpha
# message: return the plain sum

import numpy as np


def beam_search(next_log_p, width, max_length, alpha=0.0):
    kept = [((), 0.0)]
    for _ in range(max_length):
        grown = [pair for pair in kept if EOS in pair[0]]
        for words, total in kept:
            if EOS not in words:
                for word, gain in enumerate(next_log_p(words)):
                    if gain > -np.inf:
                        grown.append(((*words, word), total + gain))
        grown.sort(key=lambda pair: -pair[1] / len(pair[0]) ** alpha)
        kept = grown[:width]
    words, total = kept[0]
    return words, total / len(words) ** alpha
