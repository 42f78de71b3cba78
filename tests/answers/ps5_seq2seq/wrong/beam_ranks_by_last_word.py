"""The best words of this step are kept."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_beam
# fails: beam, beam_alpha
# message: not of the last word

import numpy as np


def beam_search(next_log_p, width, max_length, alpha=0.0):
    kept = [((), 0.0, 0.0)]
    for _ in range(max_length):
        grown = []
        for words, total, last in kept:
            if EOS in words:
                grown.append((words, total, last))
                continue
            for word, gain in enumerate(next_log_p(words)):
                if gain > -np.inf:
                    grown.append(((*words, word), total + gain, gain))
        kept = sorted(grown, key=lambda c: c[2], reverse=True)[:width]
    best = max(kept, key=lambda c: c[1] / len(c[0]) ** alpha)
    return best[:2]
