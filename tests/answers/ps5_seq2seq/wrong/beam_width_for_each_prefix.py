"""Each prefix is extended by its best words; none is thrown away."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_beam
# fails: beam, beam_alpha
# message: not for each prefix

import numpy as np


def beam_search(next_log_p, width, max_length, alpha=0.0):
    kept = [((), 0.0)]
    for _ in range(max_length):
        grown = []
        for words, total in kept:
            if EOS in words:
                grown.append((words, total))
                continue
            log_p = next_log_p(words)
            for word in np.argsort(-log_p)[:width].tolist():
                grown.append(((*words, word), total + log_p[word]))
        kept = grown
    return max(kept, key=lambda pair: pair[1] / len(pair[0]) ** alpha)
