"""The division decides among the finished sentences."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_beam
# fails: beam_alpha
# message: not only at the end

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
        kept = sorted(grown, key=lambda pair: -pair[1])[:width]
    return max(kept, key=lambda pair: pair[1] / len(pair[0]) ** alpha)
