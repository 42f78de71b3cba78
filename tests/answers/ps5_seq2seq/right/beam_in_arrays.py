"""Flat arrays of candidates and argsort; stops when all have ended."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_beam

import numpy as np


def beam_search(next_log_p, width, max_length, alpha=0.0):
    prefixes, totals = [[]], np.zeros(1)
    for _ in range(max_length):
        grown, sums = [], []
        for words, total in zip(prefixes, totals, strict=True):
            if EOS in words:
                grown.append(words)
                sums.append(total)
                continue
            log_p = next_log_p(tuple(words))
            possible = np.nonzero(log_p > -1e9)[0]
            grown += [[*words, int(word)] for word in possible]
            sums += list(total + log_p[possible])
        sums = np.array(sums)
        score = sums / np.array([len(words) for words in grown], dtype=float) ** alpha
        order = np.argsort(-score)[:width]
        prefixes, totals = [grown[k] for k in order], sums[order]
        if all(EOS in words for words in prefixes):
            break
    return tuple(prefixes[0]), totals[0]
