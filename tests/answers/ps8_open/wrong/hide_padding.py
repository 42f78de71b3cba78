"""Padding is a word like others."""

# replaces: answer_hide
# fails: corrupt, targets
# message: padding was hidden

import numpy as np


def hide_words(words, u, r, other, mask, pad):
    chosen = u < 0.15
    new = np.where(r < 0.8, mask, np.where(r < 0.9, other, words))
    return np.where(chosen, new, words), np.where(chosen, words, -100)
