"""<eos> does not count in the length."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_beam
# fails: beam_alpha
# message: n counts <eos>

import numpy as np


def beam_search(next_log_p, width, max_length, alpha=0.0):
    def score(candidate):
        words, total = candidate
        return total / max(1, len(words) - (EOS in words)) ** alpha

    kept = [((), 0.0)]
    for _ in range(max_length):
        grown = [pair for pair in kept if EOS in pair[0]]
        for words, total in kept:
            if EOS not in words:
                for word, gain in enumerate(next_log_p(words)):
                    if gain > -np.inf:
                        grown.append(((*words, word), total + gain))
        kept = sorted(grown, key=score, reverse=True)[:width]
    return kept[0]
